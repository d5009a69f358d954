import Aggregate
import RASPInsight

/// How a run looks on a terminal.
///
/// ```
/// This machine, 12 s of 30 s                                        ? help
///
/// processor    12.3 %                           ▁▂▂▃▅
/// memory       1.0 GiB of 4.0 GiB               ▂▂▂▂▂
///
/// 1 ● processor            24 events
/// 2 ◌ memory   retrying    12 events
///
/// 36 events were folded into one state
/// ```
extension Report {
  private static let nameWidth = 12
  private static let textWidth = 32

  /// The lines of the picture, the most important ones first where there is little space.
  ///
  /// - Parameter help: what the keys do; empty if none are read.
  func lines(_ size: TerminalSize, help: [String] = []) -> [String] {
    let footer = message.map { [$0] } ?? []
    let space = size.rows - 1 - footer.count
    var body = isHelpShown ? help : fields.map { line(of: $0, columns: size.columns) }
    if !isHelpShown, !sources.isEmpty {
      let all = sources.enumerated().map { line(of: $1, number: $0 + 1) }
      let below = [""] + all + ["", "\(events.total) events were folded into one state"]
      // Where there is no space for all sources, those in trouble are shown.
      body += body.count + below.count <= space ? below : zip(sources, all).filter { $0.0.isInTrouble }.map(\.1)
    }
    let gap = body.count + 2 <= space ? [""] : []
    let head = [heading(size.columns, hasHelp: !help.isEmpty)] + gap + body
    return (head.prefix(max(0, size.rows - footer.count)) + footer).prefix(size.rows).map {
      $0.cut(to: size.columns)
    }
  }

  private func heading(_ columns: Int, hasHelp: Bool) -> String {
    let elapsed = Int((now - (startedAt ?? now)) / .seconds(1))
    let text = "\(title), \(elapsed) s " + (length.map { "of \(Int($0 / .seconds(1))) s" } ?? "until it ends")
    let hint = "? help"
    return hasHelp && text.columns + hint.columns < columns ? text.fitted(to: columns - hint.columns) + hint : text
  }

  /// `processor    12.3 %                           ▁▂▂▃▅`: what was known and is no more stands in parentheses.
  private func line(of field: Field, columns: Int) -> String {
    let text = field.text.map { field.change?.text == nil ? "(\($0))" : $0 } ?? "unknown"
    let width = max(0, min(Self.textWidth, columns - Self.nameWidth))
    let head = field.name.fitted(to: Self.nameWidth) + text.fitted(to: width)
    let curve = field.curve.text(columns: columns - head.columns - 2, top: field.change?.top)
    return curve.isEmpty ? head : head + "  " + curve
  }

  /// `2 ◌ memory      retrying    12 events`
  private func line(of source: SourceHealth, number: Int) -> String {
    let (mark, word) =
      switch source.status {
      case .connected: ("●", "")
      case .retrying: ("◌", "retrying")
      case .failed: ("✖", "failed")
      case .ended, .removed: ("○", "ended")
      }
    return "\(number) \(mark) " + source.name.fitted(to: Self.nameWidth) + word.fitted(to: 10)
      + "\(source.eventCount) events"
  }
}

extension SourceHealth {
  fileprivate var isInTrouble: Bool {
    switch status {
    case .retrying, .failed: true
    case .connected, .ended, .removed: false
    }
  }
}
