import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("DeliveryQueue: follow-ups")
struct FollowUpTests {
  private enum Entry: Equatable, Sendable {
    case delivered(Int)
    case followUp(Int, isFree: Bool)
  }

  /// A queue of which each delivery leaves one follow-up.
  private final class Line: Sendable {
    struct Shell: ~Copyable, DeliveryShell {
      static var hasFollowUps: Bool { true }

      let onValue: Box<@Sendable (Int) -> Void>
      let onFollowUp: Box<@Sendable (Int) -> Void>
      var left: Int?

      mutating func deliver(_ value: Int, _ access: QueueAccess) {
        onValue.value?(value)
        left = value
      }

      mutating func takeFollowUp() -> (@Sendable () -> Void)? {
        guard let value = left.take() else { return nil }
        let onFollowUp = onFollowUp
        return { onFollowUp.value?(value) }
      }
    }

    let queue: DeliveryQueue<Shell>
    let entries = Log<Entry>()
    private let onValue = Box<@Sendable (Int) -> Void>()
    private let onFollowUp = Box<@Sendable (Int) -> Void>()

    init(
      onValue: @escaping @Sendable (Line, Int) -> Void = { _, _ in },
      onFollowUp: @escaping @Sendable (Line, Int) -> Void = { _, _ in }
    ) {
      queue = DeliveryQueue(Shell(onValue: self.onValue, onFollowUp: self.onFollowUp))
      self.onValue.value = { [unowned self] value in
        entries.note(.delivered(value))
        onValue(self, value)
      }
      self.onFollowUp.value = { [unowned self] value in
        entries.note(.followUp(value, isFree: queue.word.load(ordering: .relaxed) & QueueOwnership.owned == 0))
        onFollowUp(self, value)
      }
    }
  }

  @Test("A follow-up runs when the queue is free, before send returns")
  func whenFree() {
    let line = Line()
    _ = line.queue.send(1)
    _ = line.queue.send(2)
    #expect(
      line.entries.entries == [
        .delivered(1), .followUp(1, isFree: true), .delivered(2), .followUp(2, isFree: true),
      ]
    )
  }

  @Test("What waits in the line comes before the follow-ups, which keep their order")
  func behindTheLine() {
    let line = Line { line, value in
      if value == 1 { for value in 2...3 { _ = line.queue.send(value) } }
    }
    _ = line.queue.send(1)
    #expect(
      line.entries.entries == (1...3).map { .delivered($0) } + (1...3).map { .followUp($0, isFree: true) }
    )
  }

  @Test("A follow-up may send: its value is delivered at once, and its own follow-up runs then")
  func sending() {
    let line = Line(onFollowUp: { line, value in if value < 3 { _ = line.queue.send(value + 1) } })
    _ = line.queue.send(1)
    #expect(
      line.entries.entries == (1...3).flatMap { [.delivered($0), .followUp($0, isFree: true)] }
    )
  }

  @Test("A queue that closes meanwhile still runs the follow-ups of what it has delivered")
  func closing() {
    let line = Line { line, value in
      if value == 1 { _ = line.queue.close { _, _ in line.entries.note(.delivered(-1)) } }
    }
    _ = line.queue.send(1)
    #expect(line.entries.entries == [.delivered(1), .delivered(-1), .followUp(1, isFree: true)])
    #expect(!line.queue.send(2))
  }

  @Test("When the line is handed over, each follow-up runs once, in order, behind the last delivery")
  func handedOver() async {
    let gate = Gate(patience: longestWait)
    let count = 3 * DeliveryQueue<Line.Shell>.foreignLimit
    let line = Line { _, value in if value == 0 { gate.hold() } }
    async let held: Void = onThread { _ = line.queue.send(0) }
    await onThread {
      gate.waitUntilHeld()
      for value in 1...count { _ = line.queue.send(value) }
    }
    gate.open()
    await held
    #expect(await eventually { line.entries.count == 2 * (count + 1) })
    let entries = line.entries.entries
    #expect(Array(entries.prefix(count + 1)) == (0...count).map { .delivered($0) })
    #expect(Array(entries.dropFirst(count + 1)) == (0...count).map { .followUp($0, isFree: true) })
  }
}
