import Aggregate
import RASPJournal
import RASPKeyed
import TestSupport

/// A row that refuses what would make it negative.
struct Account: AggregateState, Codable, Equatable {
  var sum = 0
  var count = 0

  mutating func apply(_ event: Booking) throws(TestError) {
    if sum + event.amount < 0 { throw TestError(code: event.amount) }
    sum += event.amount
    count += 1
  }
}

struct Booking: Codable, Equatable, Sendable {
  var account: String
  var amount: Int
}

typealias Accounts = RecordedRows<String, Account>

extension KeyedAggregator<String, Account> {
  convenience init(
    continuing journal: Journal<Accounts>,
    evicting eviction: RowEviction = .never
  ) throws(JournalError) {
    try self.init(
      continuing: journal,
      by: \.account,
      initial: { _ in Account() },
      options: KeyedOptions(evicting: eviction)
    )
  }

  /// Makes the steps with these numbers, one event of the journal each.
  func make(_ steps: ClosedRange<Int>) {
    for step in steps {
      if step % 5 == 0 {
        // It was there a step ago.
        remove("\((step - 1) % 7)")
      } else {
        send(Booking(account: "\(step % 7)", amount: step))
      }
    }
  }
}

extension [String: Account] {
  /// The rows after so many of these steps.
  init(after steps: Int) {
    self.init()
    for step in stride(from: 1, through: steps, by: 1) {
      if step % 5 == 0 {
        self["\((step - 1) % 7)"] = nil
      } else {
        try? self["\(step % 7)", default: Account()].apply(Booking(account: "", amount: step))
      }
    }
  }
}
