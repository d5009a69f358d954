import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Refused events of rows", .endsInTime)
struct RowRejectionTests {
  private struct Booking: Sendable, Equatable {
    let account: String
    let amount: Int
  }

  private struct Purse: AggregateState, Equatable {
    var balance = 0

    mutating func apply(_ booking: Booking) throws(Account.Refusal) {
      balance += booking.amount
      if balance < 0 { throw .overdrawn(by: -balance) }
    }
  }

  private func makePurses(shards: Int = 1) -> KeyedAggregator<String, Purse> {
    KeyedAggregator(
      shards: shards,
      indexOf: { $0 == "A" ? 0 : shards - 1 },
      by: \Booking.account,
      initial: { _ in Purse() }
    )
  }

  @Test("KEY-09: a row that refuses its first event is not made")
  func firstEvent() {
    let purses = makePurses()
    let changes = Recorder(purses.changes)
    let balance = Recorder(purses["A"].select(\.balance).observable)
    let rejections = Recorder(purses.rejections)
    #expect(purses.send(Booking(account: "A", amount: -5)))
    #expect(purses.rowCount == 0 && purses["A"].current == nil)
    #expect(rejections.values.map(\.event.amount) == [-5])
    #expect(rejections.values.map(\.reason) == [.overdrawn(by: 5)])
    #expect(changes.values.isEmpty)
    #expect(balance.values == [nil])
    purses.send(Booking(account: "A", amount: 5))
    #expect(balance.values == [nil, 5])
  }

  @Test("KEY-09: a refused event leaves its row, the views and the other rows as they are; events has it")
  func laterEvent() {
    let purses = makePurses()
    purses.send(Booking(account: "A", amount: 1))
    purses.send(Booking(account: "B", amount: 1))
    let entries = Log<String>()
    let tokens = [
      purses.events.subscribe { entries.note("event \($0.amount)") },
      purses["A"].select(\.balance).subscribe { entries.note("balance \($0 ?? 0)") },
      purses.each(\.balance).subscribe { entries.note("each \($0.key)\($0.value)") },
      purses.count { $0.balance > 1 }.subscribe { entries.note("count \($0)") },
      purses.ranked(by: \.balance, first: 1).subscribe { entries.note("best \($0.map(\.value))") },
      purses.rejections.subscribe { entries.note("refused \($0.event.amount)") },
    ]
    let greeted = entries.count
    purses.send(Booking(account: "A", amount: -3))
    #expect(Array(entries.entries.dropFirst(greeted)) == ["event -3", "refused -3"])
    purses.send(Booking(account: "A", amount: 2))
    #expect(
      Array(entries.entries.dropFirst(greeted + 2)) == ["event 2", "balance 3", "each A3", "count 1", "best [3]"]
    )
    #expect(purses["B"].current == Purse(balance: 1))
    for token in tokens { token.cancel() }
  }

  /// Equal to every other one.
  private struct Held: Equatable, Sendable {
    let object: LifetimeTracker.Object
    static func == (left: Held, right: Held) -> Bool { true }
  }

  @Test("KEY-09: a view keeps nothing of a row that has refused an event")
  func nothingKept() {
    let purses = makePurses()
    let tracker = LifetimeTracker()
    let made = Counter()
    let held = StateSelector { (_: Purse) in
      made.increment()
      return Held(object: tracker.make())
    }
    purses.send(Booking(account: "A", amount: 1))
    let token = purses.each(held).subscribe { _ in }
    #expect(tracker.liveCount == 0)
    for amount in [-3, 1, -3] {
      purses.send(Booking(account: "A", amount: amount))
      #expect(tracker.liveCount == 0)
    }
    #expect(made.value > 3)
    token.cancel()
  }

  @Test("KEY-09: submit tells what has become of an event", arguments: [1, 3])
  func submit(shards: Int) async throws {
    let purses = makePurses(shards: shards)
    let rejections = Recorder(purses.rejections)
    #expect(try await purses.submit(Booking(account: "A", amount: 1)) == .folded)
    await #expect(throws: Account.Refusal.overdrawn(by: 4)) {
      try await purses.submit(Booking(account: "A", amount: -5))
    }
    await #expect(throws: Account.Refusal.overdrawn(by: 5)) {
      try await purses.submit(Booking(account: "B", amount: -5))
    }
    #expect(purses.rows() == ["A": Purse(balance: 1)])
    #expect(rejections.values.count == 2)
    purses.finish()
    #expect(rejections.ends == [.finished])
    #expect(try await purses.submit(Booking(account: "A", amount: 1)) == .finished)
    #expect(purses["A"].current?.balance == 1)
  }
}
