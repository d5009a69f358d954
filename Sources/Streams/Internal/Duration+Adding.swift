extension Duration {
  /// The sum, or `nil` if it is beyond the largest duration there is: an instant that never comes.
  @usableFromInline
  package func adding(_ other: Duration) -> Duration? {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    return overflow ? nil : Duration(attoseconds: sum)
  }
}
