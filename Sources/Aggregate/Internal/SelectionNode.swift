import Streams

/// A selected field that somebody listens to: its value in the snapshot that was last evaluated, its listeners, and the
/// selections below it.
///
/// Safe to share: owned by the aggregator's delivery queue.
@usableFromInline
final class SelectionNode<Field: Sendable>: Sendable {
  @usableFromInline let field: Confined<Field>
  @usableFromInline let listeners = Listeners()
  @usableFromInline let branch = SelectionBranch<Field>()
  /// How to leave the tree; gone once it has been done.
  @usableFromInline let leave = Confined<(@Sendable () -> [any Sendable])?>(nil)

  @usableFromInline
  init(_ field: Field) {
    self.field = Confined(field)
  }

  /// Takes the field of a new snapshot; if it differs, notes who listens to it and goes on below.
  ///
  /// Inlined with its comparison; the new field is borrowed, so that one that did not change is not retained.
  @inlinable
  @inline(__always)
  func update(
    to new: borrowing Field,
    in round: Round,
    unless areEquivalent: (_ old: borrowing Field, _ new: borrowing Field) -> Bool
  ) {
    if areEquivalent(field.value, new) { return }
    field.value = copy new
    round.note(listeners)
    if !branch.isEmpty { branch.update(from: field) }
  }

  /// Leaves the tree if nobody needs this node, and so on upwards.
  ///
  /// - Returns: what was taken out, to be released where no lock is held.
  @usableFromInline
  func leaveIfIdle() -> [any Sendable] {
    guard listeners.isEmpty, branch.isEmpty, let leave = leave.value.take() else { return [] }
    return leave() + [leave]
  }
}
