import Aggregate
import Streams

/// The texts that were written because nothing has subscribed to a report. There is one listener for all tests.
package enum UnheardTexts {
  private static let all: Texts = {
    let texts = Texts()
    UnheardReports.listener.withLock { $0 = { text in texts.all.withLock { $0.append(text) } } }
    return texts
  }()

  private final class Texts: Sendable {
    let all = Lock<[String]>([])
  }

  /// Begins to listen.
  package static func listen() { _ = all }

  /// Whether one of the texts has all these words.
  package static func contain(_ words: String...) -> Bool {
    all.all.withLock { $0.contains { text in words.allSatisfy { text.contains($0) } } }
  }
}
