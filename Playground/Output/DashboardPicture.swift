/// How a dashboard looks.
///
/// ```
/// This machine, 12 s of 30 s                                                    ? help
/// SOURCES                      FOLD         FIELDS
/// 1 ● processor     2.0/s  ▶    4.5/s    ▶  processor    12.3 %               0.4 s  ▁▂▂▃▅
/// 2 ● memory        1.0/s  ▶   57 events ▶  memory       1.0 GiB of 4.0 GiB   0.9 s  ▁▁▁▁▁
/// ```
struct DashboardPicture: Sendable {
  /// The time that one column of a history stands for.
  private static let step: Duration = .milliseconds(500)
  private static let sourceWidth = 25
  private static let foldWidth = 18

  let dashboard: Dashboard
  let colours: Bool

  init(_ dashboard: Dashboard, colours: Bool = false) {
    self.dashboard = dashboard
    self.colours = colours
  }

  /// The lines of the picture, the most important ones first where there is little space.
  ///
  /// - Parameter more: what a scenario has to show below, in so much space.
  func lines(
    _ size: TerminalSize,
    help: [String] = [],
    more: (TerminalSize) -> [String] = { _ in [] }
  ) -> [String] {
    let isWide = size.columns >= 90 && !dashboard.shown.sources.isEmpty
    let header = isWide ? ["SOURCES".padded(to: Self.sourceWidth) + "FOLD".padded(to: Self.foldWidth) + "FIELDS"] : []
    let message = dashboard.message.text
    let footer = message.isEmpty ? [] : ["", message]
    let body = dashboard.isHelpShown ? help : rows(size.columns, isWide, space: size.rows - 1 - footer.count)
    let space = size.rows - 1 - body.count
    // Spaces and the header come last, and a message is seen in any case.
    var lines =
      [title(size.columns, hasHelp: !help.isEmpty)] + (space > 1 + footer.count && !dashboard.isHelpShown ? header : [])
      + body
    let rest = size.rows - lines.count - footer.count - 1
    if rest > 2, !dashboard.isHelpShown {
      let extra = more(TerminalSize(columns: size.columns, rows: rest))
      if !extra.isEmpty { lines += [""] + extra.prefix(rest) }
    }
    if !footer.isEmpty {
      lines = Array(lines.prefix(max(1, size.rows - 1)))
      lines += lines.count + 2 <= size.rows ? footer : [message]
    }
    return lines.prefix(size.rows).map { $0.clipped(to: size.columns) }
  }

  private var shownTime: Duration { dashboard.past?.time ?? dashboard.now }

  private func title(_ columns: Int, hasHelp: Bool) -> String {
    let back = dashboard.past.map { _ in "  ⏸ \(age(of: shownTime, at: dashboard.now)) ago" } ?? ""
    let elapsed = Int((dashboard.now - (dashboard.startedAt ?? dashboard.now)) / .seconds(1))
    let length = dashboard.length.map { "of \(Int($0 / .seconds(1))) s" } ?? "until it ends"
    let text = "\(dashboard.title), \(elapsed) s \(length)" + back
    let hint = "? help"
    return hasHelp && text.columns + hint.columns < columns ? text.padded(to: columns - hint.columns) + hint : text
  }

  private func rows(_ columns: Int, _ isWide: Bool, space: Int) -> [String] {
    let fieldColumns = isWide ? columns - Self.sourceWidth - Self.foldWidth : columns
    let fields = dashboard.fields.map { row($0, fieldColumns) }
    let sources = dashboard.shown.sources.enumerated().map { row($1, number: $0 + 1) }
    guard isWide else {
      let below = ["", "SOURCES"] + sources + ["FOLD  " + foldTexts.joined(separator: ", ")]
      if !sources.isEmpty, fields.count + below.count <= space { return fields + below }
      // Where there is no space for all sources, those in trouble are shown.
      let troubles = dashboard.shown.sources.filter {
        $0.status.condition != .connected && $0.status.condition != .ended
      }
      return fields + troubles.map { source in mark(source.status) + " \(source.status.name) \(word(source.status))" }
    }
    return (0..<max(fields.count, sources.count)).map { index in
      let source = index < sources.count ? sources[index] : String(repeating: " ", count: Self.sourceWidth)
      return source + fold(index, hasSource: index < sources.count, hasField: index < fields.count)
        + (index < fields.count ? fields[index] : "")
    }
  }

  /// `1 ● processor     2.0/s `
  private func row(_ source: DashboardMoment.Source, number: Int) -> String {
    let rate = source.rate.map { "\($0.formatted(decimals: 1))/s" } ?? ""
    let state = source.status.condition == .connected ? rate : word(source.status)
    let name = source.status.name.clipped(to: 11).padded(to: 11)
    return "\(number) " + mark(source.status) + " " + name + state.leftPadded(to: 9) + " "
  }

  /// How much is folded: `4.5/s` and `57 events`.
  private var foldTexts: [String] {
    let rate = dashboard.shown.sources.compactMap(\.rate).reduce(0, +)
    return ["\(rate.formatted(decimals: 1))/s", "\(dashboard.shown.eventCount) events"]
  }

  /// `▶   57 events   ▶ `
  private func fold(_ index: Int, hasSource: Bool, hasField: Bool) -> String {
    let text = index < foldTexts.count ? foldTexts[index] : ""
    return (hasSource ? "▶ " : "  ") + text.padded(to: 13) + (hasField ? " ▶ " : "   ")
  }

  /// `processor    12.3 %               0.4 s  ▁▂▂▃▅`
  private func row(_ field: Dashboard.Field, _ columns: Int) -> String {
    guard columns >= 50 else {
      return field.name.padded(to: 11) + " " + struck(text(of: field, columns: columns - 12), field)
    }
    let textWidth = columns >= 80 ? 34 : 30
    let read = field.readAt.map { age(of: $0, at: dashboard.now) } ?? ""
    let shownAge = dashboard.past == nil ? read : ""
    // What is struck takes no more columns than what is not.
    let shown = text(of: field, columns: textWidth)
    let value = struck(shown, field) + String(repeating: " ", count: max(0, textWidth - shown.columns))
    let head = field.name.padded(to: 12) + " " + value + shownAge.leftPadded(to: 6)
    let space = columns - Self.headWidth(textWidth) - 2
    let levels = field.history.columns(space, of: Self.step, until: shownTime)
    guard levels.contains(where: { $0 != nil }) else { return head + rest(of: field, behind: shown, columns: space) }
    let isColoured = colours && field.history.scale == .fraction
    return head + "  " + Graph(levels, scale: field.history.scale).text(colours: isColoured)
  }

  /// The parts of a list for which there was no space before, in the place of a history.
  private func rest(of field: Dashboard.Field, behind shown: String, columns: Int) -> String {
    guard let text = knownText(of: field), text.hasPrefix(shown) else { return "" }
    let rest = String(text.dropFirst(shown.count).drop { $0 == "," || $0 == " " }).listClipped(to: columns)
    // A part that is cut off says nothing.
    return !rest.isEmpty && (text + ", ").contains(rest + ", ") ? "  " + struck(rest, field) : ""
  }

  /// The columns in front of the history.
  private static func headWidth(_ textWidth: Int) -> Int { 12 + 1 + textWidth + 6 }

  private func knownText(of field: Dashboard.Field) -> String? {
    dashboard.past.map { $0.texts[field.name] } ?? field.text
  }

  private func text(of field: Dashboard.Field, columns: Int) -> String {
    let text = knownText(of: field)
    let isBracketed = field.isStale && !colours && dashboard.past == nil
    guard let text, isBracketed else { return (text ?? "unknown").listClipped(to: columns) }
    return "(" + text.listClipped(to: columns - 2) + ")"
  }

  /// What was known and is no more is struck, or stands in parentheses where nothing can be struck.
  private func struck(_ text: String, _ field: Dashboard.Field) -> String {
    Colour.struck.text(text, colours && field.isStale && dashboard.past == nil)
  }

  private func mark(_ status: SourceStatus) -> String {
    switch status.condition {
    case .connected: Colour.green.text("●", colours)
    case .retrying: Colour.yellow.text("◌", colours)
    case .ended: Colour.faint.text("○", colours)
    case .failed: Colour.red.text("✖", colours)
    }
  }

  private func word(_ status: SourceStatus) -> String {
    switch status.condition {
    case .connected: "connected"
    case .retrying: "retrying"
    case .ended: "ended"
    case .failed: "failed"
    }
  }

  /// `0.4 s`, `75 s`, `12 min`
  private func age(of time: Duration, at now: Duration) -> String {
    let seconds = max(0, (now - time) / .seconds(1))
    if seconds < 10 { return "\(seconds.formatted(decimals: 1)) s" }
    return seconds < 600 ? "\(Int(seconds)) s" : "\(Int(seconds / 60)) min"
  }
}
