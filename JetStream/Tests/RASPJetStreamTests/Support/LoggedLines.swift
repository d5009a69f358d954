import Logging
import NIOConcurrencyHelpers

/// What was written to a logger.
final class LoggedLines: Sendable {
  private let lines = NIOLockedValueBox<[String]>([])

  /// A logger that writes here.
  var logger: Logger { Logger(label: "test", factory: { _ in Handler(lines: self) }) }

  var all: [String] { lines.withLockedValue { $0 } }

  private struct Handler: LogHandler {
    let lines: LoggedLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(lines: LoggedLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = "\(event.level): \(event.message) \(event.metadata ?? [:])"
      lines.lines.withLockedValue { $0.append(line) }
    }
  }
}
