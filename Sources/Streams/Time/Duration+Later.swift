extension Duration {
  /// Returns the instant that is `duration` after this one, or the last instant there is. An instant that is too far
  /// off to be represented never comes, and must not trap.
  @usableFromInline
  package func later(by duration: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(duration.attoseconds)
    guard overflow else { return Duration(attoseconds: sum) }
    return Duration(attoseconds: duration < .zero ? .min : .max)
  }
}
