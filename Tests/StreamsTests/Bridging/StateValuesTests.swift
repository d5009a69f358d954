import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("values of a state", .endsInTime)
struct StateValuesTests {
  private func values(of subject: Subject<String, Never>) -> NewestValues<String> {
    NewestValues(of: subject.observable, unless: { $0 == $1 })
  }

  @Test("BR-10: a slow reader skips to the newest and never goes back")
  func newest() async {
    let subject = Subject<String, Never>(initial: "a")
    var iterator = values(of: subject).makeAsyncIterator()
    #expect(await iterator.next() == "a")
    for state in ["b", "c", "d"] { subject.send(state) }
    #expect(await iterator.next() == "d")
    subject.send("e")
    #expect(await iterator.next() == "e")
  }

  @Test("BR-10: it wakes for nothing if the state went A, B, A meanwhile")
  func abaProblem() async {
    let subject = Subject<String, Never>(initial: "A")
    var iterator = values(of: subject).makeAsyncIterator()
    #expect(await iterator.next() == "A")
    subject.send("B")
    subject.send("A")
    subject.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("BR-10: between being resumed and running, newer states may have come: the newest counts")
  func resumedLate() async {
    let subject = Subject<Int, Never>(initial: 0)
    let sequence = NewestValues(of: subject.observable, unless: { $0 == $1 })
    let reader = Task { () -> [Int] in
      var seen: [Int] = []
      for await value in sequence { seen.append(value) }
      return seen
    }
    _ = await eventually { subject.observerCount == 1 }
    await onThread { for value in 1...5_000 { subject.send(value) } }
    subject.finish()
    let seen = await reader.value
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
    #expect(seen.last == 5_000)
  }

  @MainActor
  @Test("BR-10: a reader that was resumed with a state and sees a newer one takes that")
  func newerWhileResuming() async {
    let subject = Subject<String, Never>(initial: "a")
    let sequence = values(of: subject)
    let reading = Flag()
    let task = Task { @MainActor () -> [String?] in
      var iterator = sequence.makeAsyncIterator()
      let first = await iterator.next()
      reading.raise()
      return [first, await iterator.next()]
    }
    // All of it runs on the main actor: the reader waits now, and runs again only when this task suspends.
    #expect(await eventually { reading.isRaised })
    subject.send("b")
    subject.send("c")
    #expect(await task.value == ["a", "c"])
    #expect(sequence.droppedCount == 1)
  }

  @MainActor
  @Test("A reader that was resumed with a state gets it before the end, and no longer once its task is cancelled")
  func endWhileResuming() async {
    for isCancelled in [false, true] {
      let subject = Subject<String, Never>()
      let sequence = values(of: subject)
      let reading = Flag()
      let task = Task { @MainActor () -> [String?] in
        var iterator = sequence.makeAsyncIterator()
        reading.raise()
        return [await iterator.next(), await iterator.next()]
      }
      #expect(await eventually { reading.isRaised })
      subject.send("a")
      if isCancelled { task.cancel() } else { subject.finish() }
      #expect(await task.value == (isCancelled ? [nil, nil] : ["a", nil]))
      #expect(subject.observerCount == 0)
    }
  }

  @Test("The newest state is read once, and what it replaced is counted, for all iterators together")
  func drops() async {
    let subject = Subject<String, Never>()
    let sequence = values(of: subject)
    var (one, other) = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
    for round in 1...10 {
      for state in ["a", "b", "c"] { subject.send("\(state)\(round)") }
      #expect(await one.next() == "c\(round)")
    }
    #expect(await other.next() == "c10")
    #expect(sequence.droppedCount == 20 + 29)
  }

  @Test("The end comes behind the state that was not read yet, and stays")
  func end() async {
    let subject = Subject<String, Never>()
    var iterator = values(of: subject).makeAsyncIterator()
    subject.send("a")
    subject.finish()
    #expect(await iterator.next() == "a")
    for _ in 0..<2 { #expect(await iterator.next() == nil) }
  }

  @Test("Once the task is cancelled there is nothing to read, nothing is kept, and nothing counts as lost")
  func cancelled() async {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, Never>()
    let sequence = NewestValues(of: subject.observable, unless: { $0 === $1 })
    let task = Task { () -> Bool in
      var iterator = sequence.makeAsyncIterator()
      subject.send(tracker.make())
      _ = await eventually { Task.isCancelled }
      let first = await iterator.next()
      subject.send(tracker.make())
      let second = await iterator.next()
      return first == nil && second == nil
    }
    task.cancel()
    #expect(await task.value)
    #expect(subject.observerCount == 0)
    #expect(tracker.liveCount == 0)
    #expect(sequence.droppedCount == 0)
  }

  @MainActor
  @Test("A reader that waits is woken by a state, by the end and by cancelling", arguments: ["value", "end", "cancel"])
  func waking(by what: String) async {
    for _ in 0..<rounds(500) {
      let subject = Subject<String, Never>()
      let sequence = values(of: subject)
      let reading = Flag()
      let task = Task { @MainActor () -> String? in
        var iterator = sequence.makeAsyncIterator()
        reading.raise()
        return await iterator.next()
      }
      #expect(await eventually { reading.isRaised })
      switch what {
      case "value": subject.send("a")
      case "end": subject.finish()
      default: task.cancel()
      }
      #expect(await task.value == (what == "value" ? "a" : nil))
    }
  }

  @MainActor
  @Test("A copy is refused while another task waits, and the first one keeps waiting")
  func copy() async {
    let subject = Subject<String, Never>()
    let iterator = values(of: subject).makeAsyncIterator()
    let reading = Flag()
    let first = Task { @MainActor () -> String? in
      var iterator = iterator
      reading.raise()
      return await iterator.next()
    }
    #expect(await eventually { reading.isRaised })
    var copy = iterator
    #expect(await copy.next() == nil)
    subject.send("a")
    #expect(await first.value == "a")
    subject.send("b")
    #expect(await copy.next() == "b")
  }

  @MainActor
  @Test("A state that is there is read without suspending; a reader that loses states gives way to other tasks")
  func fairness() async {
    let subject = Subject<Int, Never>()
    var iterator = NewestValues(of: subject.observable, unless: { $0 == $1 }).makeAsyncIterator()
    let other = Flag()
    let task = Task { @MainActor in other.raise() }
    for state in 1...100 {
      subject.send(state)
      #expect(await iterator.next() == state)
    }
    #expect(!other.isRaised)
    for state in 1...100 where !other.isRaised {
      subject.send(state)
      subject.send(-state)
      #expect(await iterator.next() == -state)
    }
    #expect(other.isRaised)
    await task.value
  }

  @Test("A state is released when it is replaced, when the next one is read, and with the iterator")
  func releaseBefore() async {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, Never>()
    do {
      var iterator = NewestValues(of: subject.observable, unless: { $0 === $1 }).makeAsyncIterator()
      for _ in 0..<3 { subject.send(tracker.make()) }
      #expect(tracker.liveCount == 1)
      #expect(await iterator.next() != nil)
      subject.send(tracker.make())
      #expect(tracker.liveCount == 2)
      #expect(await iterator.next() != nil)
      #expect(tracker.liveCount == 1)
      subject.send(tracker.make())
      withExtendedLifetime(iterator) {}
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("The last state is released at the end")
  func release() async {
    let tracker = LifetimeTracker()
    let subject = Box(Subject<LifetimeTracker.Object, Never>(initial: tracker.make()))
    guard let stream = subject.value?.prefix(1) else { return }
    var iterator = NewestValues(of: stream, unless: { $0 === $1 }).makeAsyncIterator()
    #expect(await iterator.next() != nil)
    #expect(await iterator.next() == nil)
    _ = subject.value?.send(tracker.make())
    #expect(tracker.liveCount == 1, "only the subject still keeps one")
  }

  @Test("A sender against a reader: rising states, the last one is read, and each is read or counted")
  func race() async {
    for count in [1, 2, 3, 10, 2_000] {
      for _ in 0..<rounds(count > 100 ? 20 : 200) {
        let subject = Subject<Int, Never>()
        let sequence = NewestValues(of: subject.observable, unless: { $0 == $1 })
        var iterator = sequence.makeAsyncIterator()
        async let sender: Void = Threads.run {
          for state in 1...count { subject.send(state) }
          subject.finish()
        }
        var seen: [Int] = []
        while let state = await iterator.next() { seen.append(state) }
        await sender
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
        #expect(seen.last == count)
        #expect(seen.count + sequence.droppedCount == count)
      }
    }
  }

  @Test("Cancelling against sending against reading: the reader is answered, and nothing is left")
  func cancelRace() async {
    let tracker = LifetimeTracker()
    for _ in 0..<rounds(500) {
      let subject = Subject<LifetimeTracker.Object, Never>()
      let sequence = NewestValues(of: subject.observable, unless: { $0 === $1 })
      let reader = Task { () -> Int in
        var count = 0
        for await _ in sequence { count += 1 }
        return count
      }
      _ = await eventually { subject.observerCount == 1 }
      await Threads.run({ for _ in 0..<20 { subject.send(tracker.make()) } }, { reader.cancel() })
      #expect(await reader.value <= 20)
      #expect(subject.observerCount == 0)
      #expect(tracker.liveCount == 0)
    }
  }
}
