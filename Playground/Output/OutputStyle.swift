/// How a run is shown.
enum OutputStyle: Sendable {
  /// A picture on a terminal, drawn in place.
  case dashboard
  /// A line of text per field change.
  case lines
  /// A JSON object per field change.
  case json

  init(_ options: Options, for output: Output) {
    self = options.json ? .json : output.isTerminal ? .dashboard : .lines
  }
}
