extension Timeline {
  /// The run as one HTML file, through which a person moves: the events and the lanes, the cause of each event and
  /// its effects, the state after each event and what it changed, and a filter.
  ///
  /// The file stands by itself: it loads nothing, and its content security policy forbids that. It works with keys,
  /// mouse and fingers, on wide and on narrow screens, in light and in dark. The list of events and the lanes draw what
  /// can be seen, so a run of 100,000 events is usable.
  ///
  /// The state at an event is made from the changes that are in the timeline, beginning with ``Lane/initial``. Times
  /// are since the first occurrence, whose wall time is shown if it is known. The address of the page can be shared: it
  /// names the selected event.
  ///
  /// - Complexity: O(occurrences and their changes); about 70 bytes for an event that changes one number.
  public var page: String {
    let run = DrawnRun(self)
    let names = run.lanes.map { $0.name.oneLine.clipped(to: 40) }.joined(separator: ", ")
    let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <link rel="icon" href="data:,">
      <title>\((names.isEmpty ? "A run" : names.clipped(to: 120)).xml)</title>
      <style>
      \(PageStyle.text)</style>
      </head>
      <body>
      \(PageFile.markup)<script type="application/json" id="run">\(PageData(run).text)</script>
      <script>
      \(PageFile.script)
      </script>
      </body>
      </html>

      """
  }
}
