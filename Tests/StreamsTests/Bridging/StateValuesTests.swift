import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("values of a state")
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
}
