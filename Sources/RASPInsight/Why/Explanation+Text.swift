import Streams

extension Explanation: CustomStringConvertible {
  /// The chain as text, one line per link. Of a long chain the newest and the oldest links are shown.
  public var description: String {
    let labels = links.map { "\($0.lane) #\($0.number) \($0.label)".clipped(to: 80) }
    let width = labels.map(\.columns).max() ?? 0
    let times = links.map(\.time.seconds)
    let timeWidth = times.map(\.columns).max() ?? 0
    var lines = links.indices.map { index in
      let line = "  by \(labels[index].fitted(to: width))  "
      let changes = changeText(of: index)
      return line + (changes.isEmpty ? times[index] : times[index].fitted(to: timeWidth) + "  " + changes)
    }
    if lines.count > 20 {
      lines.replaceSubrange(15..<lines.count - 4, with: ["  … \(lines.count - 19) more …"])
    }
    return ([heading] + lines + ["  \(end.text)"]).joined(separator: "\n")
  }

  /// What a link has changed. The heading tells it of the first one, if a field is explained.
  private func changeText(of index: Int) -> String {
    let link = links[index]
    if link.change != nil { return "" }
    let shown = link.changes.prefix(3).map { change in
      [change.path, change.old ?? "–", "→", change.new ?? "–"].joined(separator: " ").oneLine.clipped(to: 60)
    }
    return (shown + (link.changes.count > 3 ? ["and \(link.changes.count - 3) more"] : [])).joined(separator: ", ")
  }

  private var heading: String {
    guard let value else { return subject }
    return "\(subject) = \(value)" + (links.first?.change?.old.map { ", was \($0)" } ?? "")
  }
}

extension Explanation.End {
  fileprivate var text: String {
    switch self {
    case .outside: "cause unknown: it came from outside, or on a way that carries no causes"
    case .older(let cause, let lane): "by \(lane) #\(cause.number), which is older than the recording"
    case .elsewhere(let cause): "by #\(cause.number) of lane \(cause.lane), which this insight does not record"
    case .unchanged(let start): "unchanged since the recording begins, at \(start.seconds)"
    case .withoutStates: "not known: the recording has events, and no state before them"
    case .noSuchEvent: "not known: the recording has no such event"
    }
  }
}

extension Duration {
  /// In seconds, with as many decimals as it needs, and at least three: `12.120 s`.
  fileprivate var seconds: String {
    let (seconds, attoseconds) = components
    let isNegative = seconds < 0 || attoseconds < 0
    let microseconds = Int(attoseconds.magnitude / 1_000_000_000_000)
    let isWhole = microseconds.isMultiple(of: 1_000)
    let decimals = isWhole ? (microseconds / 1_000).padded(to: 3) : microseconds.padded(to: 6)
    return "\(isNegative ? "-" : "")\(seconds.magnitude).\(decimals) s"
  }
}
