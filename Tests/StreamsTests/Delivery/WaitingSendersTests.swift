import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// Issue 27, "Load", 1.
@Suite("Backpressure of a line")
struct WaitingSendersTests {
  /// Holds the line of a subject: the first value is not handled until the holder lets it go on.
  private final class Held: Sendable {
    let subject: Subject<Int, Never>
    let received = Log<Int>()
    private let isHeld = Flag()
    private let goesOn = Flag()
    private let subscription = Box<Subscription>()

    init(_ policy: BufferingPolicy = .unbounded) async {
      subject = Subject(buffering: policy)
      subscription.value = subject.subscribe { [received, isHeld, goesOn] value in
        if value == -1 {
          isHeld.raise()
          _ = goesOn.wait()
        } else {
          received.note(value)
        }
      }
      Task { [subject] in await onThread { subject.send(-1) } }
      await onThread { [isHeld] in _ = isHeld.wait() }
    }

    func release() { goesOn.raise() }
  }

  @Test("LOAD-01: A task that sends to a full line waits until there is room, and is served in its turn")
  func waits() async {
    let held = await Held(.oldest(2))
    #expect(held.subject.send(0))
    #expect(held.subject.send(1))
    #expect(!held.subject.send(99), "a plain send is refused at the bound")
    #expect(held.subject.droppedCount == 1)
    let returned = Log<Int>()
    for value in 2..<6 {
      Task {
        #expect(await held.subject.send(whenReady: value))
        returned.note(value)
      }
      #expect(await eventually { held.subject.waitingSenderCount == value - 1 })
    }
    #expect(returned.count == 0)
    held.release()
    #expect(await eventually { held.received.count == 6 && returned.count == 4 })
    #expect(held.received.entries == Array(0..<6))
  }

  @Test("LOAD-02: A task that is cancelled while it waits for room gives up, and its value is not delivered")
  func cancelled() async {
    let held = await Held(.oldest(1))
    #expect(held.subject.send(0))
    let first = Task { await held.subject.send(whenReady: 1) }
    #expect(await eventually { held.subject.waitingSenderCount == 1 })
    let second = Task { await held.subject.send(whenReady: 2) }
    #expect(await eventually { held.subject.waitingSenderCount == 2 })
    first.cancel()
    #expect(await !first.value)
    held.release()
    #expect(await second.value)
    #expect(await eventually { held.received.entries == [0, 2] })
  }

  @Test("LOAD-03: A subject that ends lets the tasks go that wait for room, and what was accepted is delivered")
  func ended() async {
    let held = await Held(.oldest(1))
    #expect(held.subject.send(0))
    let waiting = Task { await held.subject.send(whenReady: 1) }
    #expect(await eventually { held.subject.waitingSenderCount == 1 })
    #expect(held.subject.finish())
    #expect(await !waiting.value)
    #expect(await !held.subject.send(whenReady: 2))
    held.release()
    #expect(await eventually { held.received.entries == [0] })
  }

  @Test("LOAD-04: Without a bound, a task waits while 1,024 values wait")
  func unbounded() async {
    let held = await Held()
    for value in 0..<1_024 { #expect(await held.subject.send(whenReady: value)) }
    let waiting = Task { await held.subject.send(whenReady: 1_024) }
    #expect(await eventually { held.subject.waitingSenderCount == 1 })
    held.release()
    #expect(await waiting.value)
    #expect(await eventually { held.received.entries == Array(0...1_024) })
  }

  @Test("LOAD-05: An end that drops what waits comes right behind the value that is being delivered")
  func dropping() async {
    let held = await Held()
    let ends = Counter()
    let token = held.subject.subscribe({ _ in }, onEnd: { _ in ends.increment() })
    for value in 0..<5_000 { #expect(held.subject.send(value)) }
    #expect(held.subject.finish(droppingPending: true))
    held.release()
    #expect(await eventually { ends.value == 1 })
    #expect(held.received.count == 0)
    #expect(held.subject.droppedCount == 5_000)
    withExtendedLifetime(token) {}
  }

  @Test("LOAD-06: Tasks and threads at random: what was accepted is delivered once, in order for each sender")
  func random() async {
    for round in 0..<rounds(2_000) {
      var random = SplitMix(seed: UInt64(round))
      let bound = Int.random(in: 1...8, using: &random)
      let policy = [BufferingPolicy.unbounded, .oldest(bound)].randomElement(using: &random)!
      let subject = Subject<(sender: Int, value: Int), Never>(buffering: policy)
      let received = Log<(sender: Int, value: Int)>()
      let token = subject.subscribe { received.note($0) }
      let each = Int.random(in: 1...200, using: &random)
      let endsEarly = Bool.random(using: &random)
      let cancels = Int.random(in: 0...3, using: &random)
      let accepted = await withTaskGroup(of: (Int, [Int]).self) { group in
        for sender in 0..<3 {
          group.addTask {
            var accepted: [Int] = []
            for value in 0..<each where await subject.send(whenReady: (sender, value)) { accepted.append(value) }
            return (sender, accepted)
          }
        }
        group.addTask {
          let accepted = Log<Int>()
          await onThread { for value in 0..<each where subject.send((3, value)) { accepted.note(value) } }
          if endsEarly { subject.finish() }
          return (3, accepted.entries)
        }
        if cancels == 0 { group.cancelAll() }
        var all: [Int: [Int]] = [:]
        for await (sender, values) in group { all[sender] = values }
        return all
      }
      subject.finish()
      let isComplete = await eventually { received.count == accepted.values.reduce(0) { $0 + $1.count } }
      #expect(isComplete, "round \(round)")
      for sender in 0..<4 {
        let values = received.entries.filter { $0.sender == sender }.map(\.value)
        #expect(values == accepted[sender], "round \(round), sender \(sender)")
      }
      withExtendedLifetime(token) {}
    }
  }
}

extension Subject {
  /// The number of tasks that wait for room.
  fileprivate var waitingSenderCount: Int {
    hub.queue.withLine { line in line.waiting.value.withLock { $0.senders.count } }
  }
}
