import RASPSupport

@_exported import enum RASPSupport.UnheardReports

#if DEBUG
  /// Writes what one aggregator reports without a subscriber, each kind once.
  final class UnheardReportWriter: Sendable {
    enum Report: Sendable {
      case sourceFailure(SourceFailure)
      case rejection(event: String, reason: String)
      case diagnostic(AggregatorDiagnostic)
      case released(subscribers: Int)

      /// What happens once.
      var kind: String {
        switch self {
        case .sourceFailure: "failure"
        case .rejection: "rejection"
        case .diagnostic(.lineGrown): "growth"
        case .diagnostic(.eventsRefused): "bound"
        case .diagnostic(let diagnostic): "\(diagnostic)"
        case .released: "release"
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
        case .released(let subscribers):
          """
          it was released, and \(subscribers) of its subscribers \(subscribers == 1 ? "is" : "are") still kept: they have \
          ended and get nothing more. A subscription does not keep its aggregator. Keep the aggregator in a property as \
          long as it is wanted, or say by `finish()` that it is over.
          """
        }
      }
    }

    /// The name of the type of the state.
    private let state: String
    private let once = UnheardReports.Once()
    /// A place of the program may make and release aggregators again and again, so this is for each type of state.
    private static let released = UnheardReports.Once()

    init(_ state: String) {
      self.state = state
    }

    func write(_ report: Report) {
      if case .released = report, !Self.released.isFirst(state) { return }
      once.write(report.kind, "RASP, the aggregator of `\(state)`: \(report.text)")
    }

    /// Writes a report a moment later, unless a subscriber has come by then.
    func writeSoon(_ report: Report, unless isHeard: @escaping @Sendable () -> Bool) {
      once.writeSoon(report.kind, "RASP, the aggregator of `\(state)`: \(report.text)", unless: isHeard)
    }
  }
#endif
