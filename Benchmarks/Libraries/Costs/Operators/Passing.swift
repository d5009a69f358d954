import CostRows
import Streams

/// Counts what a stream delivers, so that a row can check that its work was done.
///
/// It is `@unchecked Sendable` because each row uses its own, and delivers one value at a time.
final class Tally: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var count = 0

  func see<Value>(_ value: Value) {
    count &+= 1
    withExtendedLifetime(value) {}
  }

  func reset() { count = 0 }

  /// Stops the measurement if less or more was delivered than should have been.
  func expect(_ expected: Int) {
    precondition(count == expected, "\(count) values were delivered, and not \(expected).")
    count = 0
  }
}

/// The failure of streams that can fail.
struct Broken: Error {}

/// How many of so many values are delivered.
enum Delivered: Sendable {
  case all
  case none
  /// One of so many.
  case oneOf(Int)

  func of(_ count: Int) -> Int {
    switch self {
    case .all: count
    case .none: 0
    case .oneOf(let many): count / many
    }
  }
}

extension CostRow {
  /// A row in which a subject sends numbers through operators.
  @inline(__always)
  static func passing<Output: Sendable, Failure: Error>(
    _ name: String,
    _ operation: String,
    should: Int,
    peer: Peer? = nil,
    note: String = "",
    delivers delivered: Delivered = .all,
    failure: Failure.Type,
    through operators: @escaping @Sendable (Observable<Int, Failure>) -> Observable<Output, Failure>
  ) -> CostRow {
    CostRow(name, operation, should: should, peer: peer, note: note) { _ in
      let subject = Subject<Int, Failure>()
      let tally = Tally()
      let token = operators(subject.observable).subscribe { tally.see($0) }
      return { count in
        for value in 0..<count { subject.send(value) }
        tally.expect(delivered.of(count))
        withExtendedLifetime(token) {}
      }
    }
  }

  /// The same for numbers that cannot fail.
  @inline(__always)
  static func passing<Output: Sendable>(
    _ name: String,
    _ operation: String,
    should: Int,
    peer: Peer? = nil,
    note: String = "",
    delivers delivered: Delivered = .all,
    through operators: @escaping @Sendable (Observable<Int, Never>) -> Observable<Output, Never>
  ) -> CostRow {
    .passing(
      name,
      operation,
      should: should,
      peer: peer,
      note: note,
      delivers: delivered,
      failure: Never.self,
      through: operators
    )
  }

  /// A row in which one thing is done again and again, and delivers one value each time.
  @inline(__always)
  static func stepping(
    _ name: String,
    _ operation: String,
    should: Int,
    count: Int = 256,
    peer: Peer? = nil,
    sizes: [Int] = [1],
    of unit: String = "",
    note: String = "",
    delivers delivered: Delivered = .all,
    make: @escaping @Sendable (_ size: Int, _ tally: Tally) -> (step: (Int) -> Void, kept: Any)
  ) -> CostRow {
    CostRow(name, operation, should: should, count: count, peer: peer, sizes: sizes, of: unit, note: note) { size in
      let tally = Tally()
      let (step, kept) = make(size, tally)
      return { count in
        for value in 0..<count { step(value) }
        tally.expect(delivered.of(count))
        withExtendedLifetime(kept) {}
      }
    }
  }
}
