/// A mistake that a storm can be told to make, to see that its verifier notices.
enum Mutant: String, CaseIterable, Sendable {
  /// An owner folds an entry twice.
  case doubleFold = "double-fold"
  /// An owner leaves an entry out, in silence.
  case skippedEntry = "skipped-entry"
  /// An owner that was deposed commits its rows all the same.
  case ignoredFence = "ignored-fence"
  /// A publisher says that events were acknowledged, which it has not appended.
  case lostAppend = "lost-append"
  /// A publisher appends events again whose append was acknowledged.
  case doubledAppend = "doubled-append"
  /// A publisher appends two events in the wrong order.
  case swappedAppend = "swapped-append"
}
