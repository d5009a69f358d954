import Aggregate

/// A state with fields of every kind a selection may meet.
struct Kinds: AggregateState {
  struct Edit: Sendable {
    let change: @Sendable (inout Kinds) -> Void
  }

  /// Cannot be compared.
  struct Opaque: Sendable {
    var number = 0
  }

  final class Reference: Sendable {}

  struct Inner: Sendable, Equatable {
    var title = ""
    var size = 0
  }

  /// Equal as its fields are, so never to itself while the reading is NaN.
  struct Reading: Sendable, Equatable {
    var value = Double.nan
  }

  /// Cannot be compared, whatever it holds.
  struct OpaqueReading: Sendable {
    var value = Double.nan
  }

  var number = 0
  var other = 0
  var optional: Int?
  var array: [String] = []
  var dictionary: [String: Int] = [:]
  var pair = (0, "")
  var opaque = Opaque()
  var reference = Reference()
  var inner = Inner()
  var double = 0.0
  var float: Float = 0
  var optionalDouble: Double?
  var reading = Reading()
  var opaqueReading = OpaqueReading()

  var doubled: Int { number * 2 }

  subscript(name name: String) -> Int? { dictionary[name] }

  mutating func apply(_ event: Edit) {
    event.change(&self)
  }
}

extension Aggregator<Kinds> {
  func edit(_ change: @escaping @Sendable (inout Kinds) -> Void) {
    send(Kinds.Edit(change: change))
  }

  /// An event that changes nothing that is selected.
  func touch() {
    edit { $0.other += 1 }
  }
}
