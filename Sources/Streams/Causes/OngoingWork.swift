import Synchronization

/// The work of which the code of a task is part, and which must not wait for that code: executions of commands that
/// stand in a line, and the reaction to an entry of a log.
///
/// Tasks inherit it, whatever starts them. What a thread delivers for others is no part of it, nor is what a timer
/// brings about.
@usableFromInline
package enum OngoingWork {
  package typealias Work = AnyObject & Sendable

  @TaskLocal private static var bound: [any Work] = []

  /// Is `true` from the first use on. Programs without such work pay for one look at this.
  private static let isUsed = Atomic<Bool>(false)

  /// The work around the running code, the innermost last.
  package static var around: [any Work] { isUsed.load(ordering: .relaxed) ? bound : [] }

  /// Runs `body` as part of this work.
  package static func bind(_ around: [any Work], _ body: () -> Void) {
    isUsed.store(true, ordering: .relaxed)
    $bound.withValue(around, operation: body)
  }

  /// Runs `body` as part of this work.
  package static func bind(_ around: [any Work], _ body: () async -> Void) async {
    isUsed.store(true, ordering: .relaxed)
    await $bound.withValue(around, operation: body)
  }

  /// Runs `body`, which works for others, too: it is part of nothing.
  @usableFromInline
  @discardableResult
  package static func leave<Result>(_ body: () -> Result) -> Result {
    around.isEmpty ? body() : $bound.withValue([], operation: body)
  }
}
