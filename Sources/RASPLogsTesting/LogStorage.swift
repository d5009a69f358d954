/// What happens to a log from outside, for ``LogLaw/check(on:_:)``.
public struct LogStorage: Sendable {
  /// Keeps what a closed log has, and returns what puts it back in place of what there is then.
  public let copy: @Sendable () async throws -> @Sendable () async throws -> Void

  /// Deletes entries of a partition of a closed log, up to an offset, as its own rule does: by their age or their size.
  public let cut: @Sendable (_ partition: Int, _ offset: Int) async throws -> Void

  /// Puts both together.
  ///
  /// - Parameters:
  ///   - copy: see ``copy``.
  ///   - cut: see ``cut``. A log that never deletes, or that does so when an owner commits, needs none.
  public init(
    copy: @escaping @Sendable () async throws -> @Sendable () async throws -> Void,
    cut: @escaping @Sendable (_ partition: Int, _ offset: Int) async throws -> Void = { _, _ in }
  ) {
    self.copy = copy
    self.cut = cut
  }
}
