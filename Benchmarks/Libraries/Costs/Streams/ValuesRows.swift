import CostRows
import Streams

/// The bridge to `for await`.
let valuesRows: [CostRow] = [
  .together("values.all", "values(buffering:): send one, read one, same task", should: 300) { _ in
    await oneByOne(.unbounded)
  },
  .together("values.newest1", "values(buffering: .newest(1)): send one, read one, same task", should: 300) { _ in
    await oneByOne(.newest(1))
  },
  CostRow("values.newest100", "values(buffering: .newest(100)): per value sent, none read", should: 200) { _ in
    unread(.newest(100))
  },
  CostRow("values.oldest100", "values(buffering: .oldest(100)): per value sent, none read", should: 200) { _ in
    unread(.oldest(100))
  },
  .together("values.backlog", "values(buffering:): a backlog is read", should: 300) { _ in
    let subject = Subject<Int, Never>()
    return { count in
      var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
      for value in 0..<count { subject.send(value) }
      for value in 0..<count {
        let next = await iterator.next()
        precondition(next == value)
      }
    }
  },
  .together(
    "values.awaiting",
    "values(buffering:): a value wakes the task that waits for it, which answers; each of the two",
    should: 10_000,
    peer: Peer("AsyncAlgorithms", 22_191),
    note: "two changes of tasks by the runtime"
  ) { _ in
    { count in
      let (questions, answers) = (Subject<Int, Never>(), Subject<Int, Never>())
      let asked = questions.values(buffering: .unbounded)
      var iterator = answers.values(buffering: .unbounded).makeAsyncIterator()
      let task = Task.immediate {
        for await value in asked { answers.send(value) }
      }
      for value in 0..<count / 2 {
        questions.send(value)
        let answer = await iterator.next()
        precondition(answer == value)
      }
      questions.finish()
      await task.value
    }
  },
  .together("values.subscribe", "values(buffering:), an iterator made and released", should: 2_500) { _ in
    let subject = Subject<Int, Never>()
    return { count in
      for _ in 0..<count {
        let iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
        withExtendedLifetime(iterator) {}
      }
      precondition(subject.observerCount == 0)
    }
  },
]

private func oneByOne(_ policy: BufferingPolicy) async -> (Int) async -> Void {
  let subject = Subject<Int, Never>()
  return { count in
    var iterator = subject.values(buffering: policy).makeAsyncIterator()
    for value in 0..<count {
      subject.send(value)
      let next = await iterator.next()
      precondition(next == value)
    }
  }
}

private func unread(_ policy: BufferingPolicy) -> (Int) -> Void {
  let subject = Subject<Int, Never>()
  let values = subject.values(buffering: policy)
  let iterator = values.makeAsyncIterator()
  return { count in
    for value in 0..<count { subject.send(value) }
    precondition(values.droppedCount > 0)
    withExtendedLifetime(iterator) {}
  }
}
