package import Testing

/// The reporter of the mistakes that this module finds: as issues of the running test, unless a test of this
/// module listens.
package struct Reporter: Sendable {
  /// The one of the running task. What reports from a thread keeps the one that it was made with.
  @TaskLocal package static var current = Reporter { text, sourceLocation in
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }

  private let record: @Sendable (String, SourceLocation) -> Void

  package init(_ record: @escaping @Sendable (_ text: String, _ sourceLocation: SourceLocation) -> Void) {
    self.record = record
  }

  /// Reports `text`, which says what is wrong and what to do about it.
  package func report(_ text: String, at sourceLocation: SourceLocation) {
    record(text, sourceLocation)
  }
}
