import Streams

/// A section of code that a dispatch must not enter again before it ends: a mutation, which has its model to itself, or
/// a call of a watcher, which has its turn in the order of the states.
///
/// An action that is sent inside the section is postponed. If the section waited for it instead, an action that comes
/// back to the same model would wait for the section that waits for it, and so would two models that send to each
/// other.
///
/// Safe to share: the list is behind the lock.
final class NonReentrantSection: Sendable {
  /// The postponed actions; `nil` when the section is over. A task that the section left behind sends at once from then
  /// on.
  private let sent = Lock<[ActionDispatch.Postponed]?>([])

  /// - Returns: `false` when the section is over.
  func postpone(_ action: @escaping ActionDispatch.Postponed) -> Bool {
    sent.withLock { sent in
      sent?.append(action)
      return sent != nil
    }
  }

  func end() -> [ActionDispatch.Postponed] {
    sent.withLock { $0.take() } ?? []
  }

  /// Runs `body` as a section. The actions that it sends are postponed in `dispatch`, also if it throws.
  static func run<Failure: Error>(
    in dispatch: ActionDispatch,
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    let section = NonReentrantSection()
    var context = CallContext.current
    context.section = section
    defer { dispatch.postpone(section.end()) }
    try await CallContext.with(context, body)
  }
}
