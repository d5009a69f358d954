import Aggregate
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
