import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("submit to a row", .endsInTime)
struct RowSubmitTests {
  private struct Overdrawn: Error, Equatable {
    let missing: Int
  }

  private struct Booking: Sendable {
    let account: String
    let amount: Int
  }

  private struct Purse: AggregateState, Equatable {
    var coins = 0

    mutating func apply(_ booking: Booking) throws(Overdrawn) {
      coins += booking.amount
      if coins < 0 { throw Overdrawn(missing: -coins) }
    }
  }

  @Test(
    "drained returns when all shards have folded what they had accepted, whatever looks for idle rows",
    arguments: [1, 4]
  )
  func drained(shards: Int) async {
    let time = VirtualScheduler()
    let journals = KeyedAggregator(
      shards: shards,
      indexOf: { $0 % shards },
      by: { $0 % 10 },
      initial: { (_: Int) in Journal() },
      options: KeyedOptions(evicting: .idle(for: .seconds(80)), on: time)
    )
    await journals.drained()
    let gate = Gate(patience: longestWait)
    let token = journals.events.subscribe { event in if event == 0 { gate.hold() } }
    async let held: Void = onThread { journals.send(0) }
    await onThread { gate.waitUntilHeld() }
    let draining = Task {
      for event in 1..<100 { journals.send(event) }
      await journals.drained()
      return journals.rows().values.reduce(0) { $0 + $1.entries.count }
    }
    #expect(await eventually { journals.pendingCount > 0 })
    // Looks for idle rows, none of which has been silent for long enough.
    time.advance(by: .seconds(75))
    gate.open()
    #expect(await draining.value == 100)
    await held
    withExtendedLifetime(token) {}
  }

  @Test("KEY-09: events that wait in line are folded in order, or refused; a cancelled task gives up the wait alone")
  func waiting() async throws {
    let purses = KeyedAggregator(by: \Booking.account, initial: { _ in Purse() })
    let gate = Gate(patience: longestWait)
    let token = purses.events.subscribe { booking in if booking.amount == 1 { gate.hold() } }
    async let held: Void = onThread { purses.send(Booking(account: "A", amount: 1)) }
    await onThread { gate.waitUntilHeld() }
    let folded = Task { try await purses.submit(Booking(account: "A", amount: 10)) }
    #expect(await eventually { purses.pendingCount == 1 })
    let refused = Task { try await purses.submit(Booking(account: "A", amount: -50)) }
    #expect(await eventually { purses.pendingCount == 2 })
    let cancelled = Task { try await purses.submit(Booking(account: "B", amount: 7)) }
    #expect(await eventually { purses.pendingCount == 3 })
    cancelled.cancel()
    #expect(try await cancelled.value == .cancelled)
    #expect(purses["A"].current?.coins == 1, "they wait")
    gate.open()
    await held
    #expect(try await folded.value == .folded)
    await #expect(throws: Overdrawn(missing: 39)) { try await refused.value }
    #expect(await eventually { purses.rows() == ["A": Purse(coins: 11), "B": Purse(coins: 7)] })
    token.cancel()
  }
}
