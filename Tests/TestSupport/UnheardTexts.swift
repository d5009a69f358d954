import Aggregate
import RASPServices
import RASPSupport
import RASPTesting

/// The texts that a debug build writes about reports without a subscriber.
package enum UnheardTexts {
  /// There is one listener in a process.
  private static let mutex = AsyncMutex(())

  /// What is written while a closure runs and contains a text, in place of standard error.
  package static func written(
    containing part: String,
    while body: (@Sendable () -> [String]) async throws -> Void
  ) async throws -> [String] {
    try await mutex.withLock { _ in
      let texts = Log<String>()
      UnheardReports.listener.exchange(with: { text in
        if text.contains(part) { texts.note(text) }
      })
      defer { UnheardReports.listener.exchange(with: nil) }
      try await body { texts.entries }
      return texts.entries
    }
  }
}
