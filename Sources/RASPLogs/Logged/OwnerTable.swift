import Aggregate

/// What is known of the owners of a log, as a state that can be selected from.
struct OwnerTable: AggregateState {
  var owners: LogOwners

  mutating func apply(_ owners: LogOwners) { self.owners = owners }
}
