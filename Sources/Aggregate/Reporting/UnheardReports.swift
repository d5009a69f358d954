import RASPSupport

@_exported import enum RASPSupport.UnheardReports

#if DEBUG
  /// What an aggregator reports and nothing has subscribed to. It is written once for each type of state: a place of a
  /// program may make aggregators of one type again and again.
  enum UnheardReport: Sendable {
    case sourceFailure(SourceFailure)
    case rejection(event: String, reason: String)
    case diagnostic(AggregatorDiagnostic)
    case released(subscribers: Int)

    private static let once = UnheardReports.Once()

    /// What is written once, and the text.
    private var content: (kind: String, text: String) {
      switch self {
      case .sourceFailure(let failure):
        let name = failure.name.map { "the source \"\($0)\"" } ?? "a source"
        return ("failure", "\(name) has failed: \(failure.error). Subscribe to `sourceFailures`, or use `retry`.")
      case .rejection(let event, let reason):
        return ("rejection", "\(event) was refused: \(reason). Subscribe to `rejections`, or use `submit`.")
      case .diagnostic(let diagnostic): return ("\(diagnostic.kind)", "\(diagnostic) Subscribe to `diagnostics`.")
      case .released(let subscribers):
        let kept = "\(subscribers) of its subscribers \(subscribers == 1 ? "is" : "are") still kept"
        return ("release", "it was released, and \(kept): keep the aggregator in a property, or call `finish()`.")
      }
    }

    func write(of state: any AggregateState.Type) {
      let (kind, text) = described(for: state)
      Self.once.write(kind, text)
    }

    /// Writes a report a moment later, unless a subscriber has come by then.
    func writeSoon(of state: any AggregateState.Type, unless isHeard: @escaping @Sendable () -> Bool) {
      let (kind, text) = described(for: state)
      Self.once.writeSoon(kind, text, unless: isHeard)
    }

    private func described(for state: any AggregateState.Type) -> (kind: String, text: String) {
      ("\(String(reflecting: state)) \(content.kind)", "RASP, the aggregator of `\(state)`: \(content.text)")
    }
  }

  extension AggregatorDiagnostic {
    fileprivate var kind: String {
      switch self {
      case .lineGrown: "growth"
      case .eventsRefused: "bound"
      default: "\(self)"
      }
    }
  }
#endif
