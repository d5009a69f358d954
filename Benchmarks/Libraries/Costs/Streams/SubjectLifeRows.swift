import CostRows
import Streams

/// Subjects are made, and end.
let subjectLifeRows: [CostRow] = [
  CostRow(
    "subject.make",
    "make a Subject, and release it",
    should: 600,
    peer: Peer("OpenCombine", 2_167),
    note: "its memory"
  ) {
    _ in
    { count in
      for _ in 0..<count {
        let subject = Subject<Int, Never>()
        withExtendedLifetime(subject) {}
      }
    }
  },
  CostRow(
    "subject.make.initial",
    "make a Subject(initial:), and release it",
    should: 900,
    note: "its memory, and the types of what it keeps are looked up when it is released"
  ) { _ in
    { count in
      for value in 0..<count {
        let subject = Subject<Int, Never>(initial: value)
        withExtendedLifetime(subject) {}
      }
    }
  },
  CostRow(
    "subject.make.newest",
    "make a Subject(buffering: .newest(16)), and release it",
    should: 600,
    note: "its memory"
  ) {
    _ in
    { count in
      for _ in 0..<count {
        let subject = Subject<Int, Never>(buffering: .newest(16))
        withExtendedLifetime(subject) {}
      }
    }
  },
  CostRow(
    "subject.finish",
    "Subject.finish",
    should: 500,
    sizes: [1, 16, 64],
    of: "subscribers",
    note: "O(subscribers): 640 for each, half of it to release what it held"
  ) { size in
    // One for each repetition, and as many for the run that is not counted.
    let tally = Tally()
    let subjects = (0..<2 * 256).map { _ in Subject<Int, Never>() }
    let tokens = subjects.flatMap { subject in
      (0..<size).map { _ in subject.subscribe({ _ in }, onEnd: { _ in tally.note() }) }
    }
    return { count in
      for index in tally.goal..<tally.goal + count { subjects[index].finish() }
      tally.goal += count
      precondition(tally.count == tally.goal * size)
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "subject.release",
    "subscribe to a Subject, kept, and the Subject is released, per subscriber",
    should: 1_500,
    note: "the memory of a subscription"
  ) {
    _ in
    { count in
      let tally = Tally()
      var tokens: [Subscription] = []
      do {
        let subject = Subject<Int, Never>()
        tokens = (0..<count).map { _ in subject.subscribe({ _ in }, onEnd: { _ in tally.note() }) }
      }
      precondition(tally.count == count)
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "subject.subscribe.ended",
    "subscribe to a Subject that has ended",
    should: 1_500,
    note: "the memory of a subscription, and the type of the end"
  ) { _ in
    let subject = Subject<Int, Never>()
    subject.finish()
    let tally = Tally()
    return { count in
      tally.count = 0
      for _ in 0..<count { subject.subscribe({ _ in }, onEnd: { _ in tally.note() }).cancel() }
      precondition(tally.count == count)
    }
  },
]
