import RASPTesting
import Streams
import TestSupport
import Testing

/// Issue 27, "Load", 2 and 4.
@Suite("Streams that asynchronous code produces")
struct AsyncProducerTests {
  private struct Broken: Error, Equatable {}

  @Test("LOAD-10: The operation sends, and the stream finishes when it returns")
  func finishes() async {
    let stream = Observable<Int, Never> { producer in
      for value in 1...3 { await producer.send(value) }
      await producer.send(contentsOf: [4, 5])
    }
    let received = Log<Int>()
    let ends = Counter()
    let token = stream.subscribe {
      received.note($0)
    } onEnd: { _ in
      ends.increment()
    }
    #expect(await eventually { ends.value == 1 })
    #expect(received.entries == [1, 2, 3, 4, 5])
    withExtendedLifetime(token) {}
  }

  @Test("LOAD-11: A send returns when its value has been handled, also if that waits in the line of a merge")
  func backpressure() async {
    let (isHeld, goesOn, hasEnded) = (Flag(), Flag(), Flag())
    let gate = Subject<Observable<Int, Never>, Never>()
    let held = Subject<Int, Never>()
    let received = Log<Int>()
    let token = gate.merge().subscribe { value in
      received.note(value)
      guard value == -1 else { return }
      isHeld.raise()
      _ = goesOn.wait()
    } onEnd: { _ in
      hasEnded.raise()
    }
    gate.send(held.observable)
    async let sender: Void = onThread { held.send(-1) }
    await onThread { _ = isHeld.wait() }
    let (begun, returned) = (Counter(), Counter())
    gate.send(
      Observable { producer in
        for value in 0..<10 {
          begun.increment()
          await producer.send(value)
          returned.increment()
        }
      }
    )
    #expect(await eventually { begun.value == 1 })
    for _ in 0..<2_000 { await Task.yield() }
    #expect(begun.value == 1 && returned.value == 0, "the first value still waits in line")
    goesOn.raise()
    await sender
    held.finish()
    gate.finish()
    #expect(await eventually { hasEnded.isRaised })
    #expect(received.entries == [-1] + Array(0..<10))
    withExtendedLifetime(token) {}
  }

  @Test("LOAD-12: Cancelling the subscription cancels the task; a send returns false, and nothing is kept")
  func cancelled() async {
    final class Kept: Sendable {}
    weak var kept: Kept?
    let (hasBegun, hasEnded) = (Flag(), Flag())
    let accepted = Box<Bool>()
    let stream = Observable<Int, Never> { producer in
      await producer.send(1)
      hasBegun.raise()
      _ = await eventually { Task.isCancelled }
      accepted.value = await producer.send(2)
      hasEnded.raise()
    }
    let received = Log<Int>()
    do {
      let object = Kept()
      kept = object
      let token = stream.subscribe { value in
        withExtendedLifetime(object) { received.note(value) }
      }
      #expect(await eventually { hasBegun.isRaised })
      token.cancel()
    }
    #expect(await eventually { hasEnded.isRaised })
    #expect(accepted.value == false)
    #expect(received.entries == [1])
    #expect(await eventually { kept == nil })
  }

  @Test("LOAD-13: An error is the typed failure of the stream, and retry runs the operation again")
  func fails() async {
    let runs = Counter()
    let stream = Observable<Int, Broken> { producer async throws(Broken) in
      let run = runs.increment()
      await producer.send(run)
      if run < 3 { throw Broken() }
    }
    let received = Log<Int>()
    let end = Box<StreamEnd<Broken>>()
    let token = stream.retry(5).subscribe {
      received.note($0)
    } onEnd: {
      end.value = $0
    }
    #expect(await eventually { end.value != nil })
    #expect(received.entries == [1, 2, 3])
    if case .finished = end.value {} else { Issue.record("the last run has finished") }
    let failed = Box<StreamEnd<Broken>>()
    let once = Observable<Int, Broken> { _ async throws(Broken) in throw Broken() }
      .subscribe { _ in
      } onEnd: {
        failed.value = $0
      }
    #expect(await eventually { failed.value != nil })
    if case .failed = failed.value {} else { Issue.record("the operation has thrown") }
    withExtendedLifetime((token, once)) {}
  }

  @Test("LOAD-14: Several tasks may send; the values of each are delivered in order, one at a time")
  func severalTasks() async {
    let each = 200
    let stream = Observable<(Int, Int), Never> { producer in
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask { for value in 0..<each { await producer.send((task, value)) } }
        }
      }
    }
    let received = Log<(Int, Int)>()
    let ends = Counter()
    let token = stream.subscribe {
      received.note($0)
    } onEnd: { _ in
      ends.increment()
    }
    #expect(await eventually { ends.value == 1 })
    for task in 0..<4 { #expect(received.entries.filter { $0.0 == task }.map(\.1) == Array(0..<each)) }
    withExtendedLifetime(token) {}
  }

  @Test("LOAD-15: What a producer sends as one packet stays together")
  func packets() async {
    let producers = Box<Producer<Int, Never>>()
    let stream = Observable<Int, Never> { producers.value = $0 }
    let received = Log<Int>()
    let token = stream.subscribe { received.note($0) }
    guard let producer = producers.value else {
      Issue.record("the stream has no producer")
      return
    }
    let rounds = rounds(50_000)
    await Threads.run(count: 2) { thread in
      for round in 0..<rounds {
        let first = 6 * round + thread
        producer.send(contentsOf: [first, first + 2, first + 4])
      }
    }
    #expect(await eventually { received.count == 6 * rounds })
    let entries = received.entries
    var divided = 0
    for index in stride(from: 0, to: entries.count, by: 3) {
      let first = entries[index]
      if Array(entries[index..<index + 3]) != [first, first + 2, first + 4] { divided += 1 }
    }
    #expect(divided == 0)
    token.cancel()
    #expect(!producer.send(contentsOf: [1]))
  }
}
