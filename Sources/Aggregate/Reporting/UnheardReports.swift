import RASPPrimitives
import Streams

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What a debug build writes to standard error when an aggregator reports something and nothing has subscribed to the
/// report: a source that failed, an event that the state refused, a mistake. A tree of services writes what it reports
/// if it was made without `diagnostics`.
///
/// Each aggregator writes each kind of report once, with the remedy and the type of its state. A subscriber to
/// ``Aggregator/sourceFailures``, ``Aggregator/rejections`` or ``Aggregator/diagnostics`` turns its kind off, and an
/// event that is sent with ``Aggregator/submit(_:isolation:)`` is answered, so its refusal is not written. A source
/// that fails while its aggregator is being made is written a moment later, if there is no subscriber by then.
///
/// A release build writes nothing of these. What a journal or a log loses is written in every build, unless its own
/// report has a subscriber.
public enum UnheardReports {
  /// There is no switch for all aggregators of a process, because it would also turn off the reports of the libraries
  /// in it.
  @available(*, unavailable, message: "subscribe to the report that is written: that turns its text off")
  public static var areWritten: Bool {
    get { true }
    set {}
  }

  /// Gets each text instead of standard error, for the tests of this package.
  package static let listener = Lock<(@Sendable (String) -> Void)?>(nil)

  package static func write(_ text: String) {
    if let listener = listener.withLock({ $0 }) { return listener(text) }
    var text = "\(text)\n"
    text.withUTF8 { bytes in _ = StandardError.write(bytes) }
  }

  /// Writes each kind of report once, for one object that reports.
  ///
  /// Safe to share: the kinds are behind the lock.
  package final class Once: Sendable {
    private let written = Lock<Set<String>>([])

    package init() {}

    /// Whether nothing of a kind was asked for before.
    package func isFirst(_ kind: String) -> Bool { written.withLock { $0.insert(kind).inserted } }

    package func write(_ kind: String, _ text: @autoclosure () -> String) {
      guard isFirst(kind) else { return }
      UnheardReports.write("\(text()) This text is written once, and in debug builds only.")
    }
  }

  /// Writes a text a moment later, unless a subscriber has come by then.
  package static func writeSoon(_ text: String, unless isHeard: @escaping @Sendable () -> Bool) {
    soon(unless: isHeard) { write(text) }
  }

  static func soon(unless isHeard: @escaping @Sendable () -> Bool, _ write: @escaping @Sendable () -> Void) {
    Task.detached {
      // Long enough for the code that makes what reports to subscribe to it.
      try? await Task.sleep(for: .milliseconds(100))
      if !isHeard() { write() }
    }
  }

  private enum StandardError {
    static func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
      #if canImport(Darwin)
        Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #elseif canImport(Glibc)
        Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #elseif canImport(Android)
        Android.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #else
        0
      #endif
    }
  }
}

#if DEBUG
  /// Writes what one aggregator reports without a subscriber, each kind once.
  final class UnheardReportWriter: Sendable {
    enum Report: Sendable {
      case sourceFailure(SourceFailure)
      case rejection(event: String, reason: String)
      case diagnostic(AggregatorDiagnostic)

      /// What happens once.
      var kind: String {
        switch self {
        case .sourceFailure: "failure"
        case .rejection: "rejection"
        case .diagnostic(.lineGrown): "growth"
        case .diagnostic(.eventsRefused): "bound"
        case .diagnostic(let diagnostic): "\(diagnostic)"
        }
      }

      var text: String {
        switch self {
        case .sourceFailure(let failure):
          """
          \(failure.name.map { "the source \"\($0)\"" } ?? "a source") has failed and was detached: \(failure.error). Nothing has subscribed to `sourceFailures`. Subscribe \
          to it, or use `retry` or `catch` on the source.
          """
        case .rejection(let event, let reason):
          """
          the state refused the event \(event): \(reason). Nothing has subscribed to `rejections`. Subscribe to it, or \
          send the event with `submit`, which throws the reason.
          """
        case .diagnostic(let diagnostic):
          "\(diagnostic) Nothing has subscribed to `diagnostics`."
        }
      }
    }

    /// The name of the type of the state.
    private let state: String
    private let once = UnheardReports.Once()

    init(_ state: String) {
      self.state = state
    }

    func write(_ report: Report) {
      once.write(report.kind, "RASP, the aggregator of `\(state)`: \(report.text)")
    }

    /// Writes a report a moment later, unless a subscriber has come by then.
    func writeSoon(_ report: Report, unless isHeard: @escaping @Sendable () -> Bool) {
      UnheardReports.soon(unless: isHeard) { self.write(report) }
    }
  }
#endif
