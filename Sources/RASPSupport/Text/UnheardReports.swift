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
/// if it was made without `diagnostics`, and an engine what its `errorHandler` would get, if it has none: but for
/// warnings of events without a reaction, and for errors that a reaction rescues or a task awaits.
///
/// It also writes that an aggregator was released while its subscribers are kept for a moment longer: they wait for
/// nothing. It writes nothing of an aggregator that has finished, and of one that is released together with its
/// subscribers, as in the `deinit` of a view model.
///
/// Each kind of report is written once for each type of state, with the remedy; an engine does so for each type of
/// command. A subscriber to `sourceFailures`, `rejections` or `diagnostics` of the aggregator turns its
/// kind off, and an event that is sent with `submit` is answered, so its refusal is not written. A source that fails
/// while its aggregator is being made is written a moment later, if there is no subscriber by then.
///
/// A release build writes nothing of these. What a journal or a log loses is written in every build, unless its own
/// report has a subscriber.
public enum UnheardReports {
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
      UnheardReports.write("\(text()) \(Self.ending)")
    }

    /// Writes a text a moment later, unless it has been heard by then. The next of its kind is written in that case.
    package func writeSoon(
      _ kind: String,
      _ text: @autoclosure () -> String,
      unless isHeard: @escaping @Sendable () -> Bool
    ) {
      guard isFirst(kind) else { return }
      let text = "\(text()) \(Self.ending)"
      UnheardReports.soon {
        if isHeard() { return self.written.withLock { _ = $0.remove(kind) } }
        UnheardReports.write(text)
      }
    }

    private static var ending: String { "(Written once.)" }
  }

  /// Writes a text a moment later, unless a subscriber has come by then.
  package static func writeSoon(_ text: String, unless isHeard: @escaping @Sendable () -> Bool) {
    soon { if !isHeard() { write(text) } }
  }

  package static func soon(_ body: @escaping @Sendable () -> Void) {
    Task.detached {
      // Long enough for the code that makes what reports to subscribe to it, or to await it.
      try? await Task.sleep(for: .milliseconds(100))
      body()
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
