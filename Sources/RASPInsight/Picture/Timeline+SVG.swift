import Streams

extension Timeline {
  /// The run as a picture: an SVG document that stands by itself.
  ///
  /// Time goes down, and each lane is a vertical line. Each occurrence is a marble on the line of its lane, in a row
  /// of its own, with its time, its label, and as a tooltip all that is known of it. An arrow leads from each cause to
  /// each of its effects. A marble that is not filled was refused or has failed. Times are since the first occurrence.
  ///
  /// Colours follow the light or dark scheme of the reader. Equal timelines give equal documents.
  ///
  /// - Parameters:
  ///   - lanes: the names of the lanes to draw; all of them if it is `nil`.
  ///   - times: the times to draw, since the origin of the clock; all of them if it is `nil`.
  /// - Complexity: O(occurrences); about 500 bytes for each. For a run of many thousands ``page`` is the better one.
  public func svg(lanes: [String]? = nil, times: ClosedRange<Duration>? = nil) -> String {
    var timeline = self
    if let times { timeline = timeline.keeping(times: times) }
    if let lanes { timeline = timeline.keeping(lanes: lanes) }
    return Picture(DrawnRun(timeline)).text
  }
}

/// Writes a run as SVG.
private struct Picture {
  private static let row = 22
  private static let column = 22
  private static let labelWidth = 620

  private let run: DrawnRun
  private let left: Int

  init(_ run: DrawnRun) {
    self.run = run
    left = 24 + 7 * (run.times.map { run.clock.text($0).utf8.count }.max() ?? 0)
  }

  private var labelX: Int { left + run.lanes.count * Self.column + 12 }
  private func x(_ lane: Int) -> Int { left + lane * Self.column + Self.column / 2 }
  private func y(_ index: Int) -> Int { 16 + (run.lanes.count + index) * Self.row + 24 }

  var text: String {
    let (width, height) = (labelX + Self.labelWidth, y(run.occurrences.count))
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      role="img">
      <title>\(title.xml)</title>
      <style>\(style)</style>
      <defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto">\
      <path class="tip" d="M0 0 6 3 0 6z"/></marker></defs>
      <rect class="ground" width="100%" height="100%"/>

      """
    addLanes(to: &text, height: height)
    if let beginning = run.beginning {
      let note = "\(run.clock.text(run.clock.start)) is \(beginning)"
      text += "<text class=\"note\" x=\"\(labelX)\" y=\"\(y(0) - 20)\">\(note.xml)</text>\n"
    }
    for index in run.occurrences.indices { addArrow(to: index, in: &text) }
    for index in run.occurrences.indices { addMarble(index, to: &text) }
    return text + "</svg>\n"
  }

  private var title: String {
    let names = run.lanes.map { $0.name.clipped(to: 40) }.joined(separator: ", ")
    return "A run of \(names.isEmpty ? "no lanes" : names.clipped(to: 200)): \(run.occurrences.count) occurrences"
  }

  private var style: String {
    let fonts = "font:13px system-ui,sans-serif"
    return "text{\(fonts);fill:\(Palette.light.text)}.time,.note{fill:\(Palette.light.quiet)}"
      + ".time{font:12px ui-monospace,monospace;text-anchor:end}.name{font-weight:600}.arrow{fill:none}"
      + ".line,.arrow{stroke-width:1.25}.marble{stroke-width:2}.open{fill:none}" + colours(Palette.light)
      + "@media(prefers-color-scheme:dark){text{fill:\(Palette.dark.text)}.time,.note{fill:\(Palette.dark.quiet)}"
      + colours(Palette.dark) + "}"
  }

  private func colours(_ scheme: Palette.Scheme) -> String {
    var text =
      ".ground{fill:\(scheme.background)}.line{stroke:\(scheme.line)}.arrow{stroke:\(scheme.quiet)}"
      + ".tip{fill:\(scheme.quiet)}"
    for (number, colour) in scheme.lanes.enumerated() {
      text += ".l\(number){fill:\(colour);stroke:\(colour)}text.l\(number),tspan.l\(number){stroke:none}"
    }
    return text + ".open{fill:\(scheme.background)}text.failed,tspan.failed{fill:\(scheme.failure)}"
  }

  /// The line of each lane begins in the row of its name.
  private func addLanes(to text: inout String, height: Int) {
    for (lane, description) in run.lanes.enumerated() {
      let (x, y, colour) = (x(lane), 20 + lane * Self.row, Palette.colour(ofLane: lane))
      text += """
        <path class="line" d="M\(x) \(y)V\(height - 8)M\(x) \(y)H\(labelX - 6)"/>\
        <text class="name l\(colour)" x="\(labelX)" y="\(y + 4)">\(description.name.oneLine.clipped(to: 60).xml)\
        <tspan class="note" font-weight="400"> \(description.kind.rawValue)</tspan></text>

        """
    }
  }

  private func addArrow(to index: Int, in text: inout String) {
    guard let cause = run.causeOf[index] else { return }
    let (fromX, fromY) = (x(run.laneOf[cause]), y(cause) + 5)
    let (toX, toY) = (x(run.laneOf[index]), y(index) - 7)
    let bend = min(toY - fromY, 60) / 2
    // In one lane the arrow goes beside the line, or it would hide the marbles between, if there are any.
    let side = fromX == toX && cause + 1 < index ? 9 : 0
    text +=
      "<path class=\"arrow\" marker-end=\"url(#tip)\" d=\"M\(fromX) \(fromY)"
      + "C\(fromX - side) \(fromY + bend) \(toX - side) \(toY - bend) \(toX) \(toY)\"/>\n"
  }

  private func addMarble(_ index: Int, to text: inout String) {
    let occurrence = run.occurrences[index]
    let (lane, y) = (run.laneOf[index], y(index))
    let colour = Palette.colour(ofLane: lane)
    let time = run.clock.text(run.times[index])
    text += "<g><title>\(tooltip(index, time))</title>"
    if index == 0 || time != run.clock.text(run.times[index - 1]) {
      text += "<text class=\"time\" x=\"\(left - 6)\" y=\"\(y + 4)\">\(time)</text>"
    }
    text +=
      "<circle class=\"marble l\(colour)\(occurrence.failure == nil ? "" : " open")\" cx=\"\(x(lane))\" "
      + "cy=\"\(y)\" r=\"5\"/><text x=\"\(labelX)\" y=\"\(y + 4)\">\(occurrence.label.oneLine.clipped(to: 80).xml)"
    if let duration = occurrence.duration {
      text += "<tspan class=\"note\" dx=\"8\">\(ClockText.length(duration.nanoseconds))</tspan>"
    }
    if let failure = occurrence.failure {
      text += "<tspan class=\"failed\" dx=\"8\">\(failure.oneLine.clipped(to: 40).xml)</tspan>"
    }
    text += "</text></g>\n"
  }

  private func tooltip(_ index: Int, _ time: String) -> String {
    let occurrence = run.occurrences[index]
    var lines = ["\(run.name(of: occurrence.id)) at \(time)", occurrence.label.clipped(to: 300)]
    if let failure = occurrence.failure { lines.append("failed: \(failure.clipped(to: 200))") }
    if let cause = run.causeText(of: index) { lines.append("by \(cause)") }
    for change in occurrence.changes.prefix(8) {
      let (old, new) = (change.old ?? "nothing", change.new ?? "nothing")
      lines.append("\(change.path.clipped(to: 60)): \(old.clipped(to: 60)) → \(new.clipped(to: 60))")
    }
    if occurrence.changes.count > 8 { lines.append("and \(occurrence.changes.count - 8) more changes") }
    return lines.joined(separator: "\n").xml
  }
}
