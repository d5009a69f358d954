import Streams

/// What a scenario lets a dashboard show and do beside its fields.
struct DashboardControls: Sendable {
  /// What the user presses; `nil` if no keys are read.
  var keys: Observable<TerminalKey, Never>?
  /// The sources as they are now.
  var sources: @Sendable () -> [SourceStatus]
  /// The texts of the fields at an earlier time; `nil` if that is not known.
  var past: @Sendable (Duration) -> [String: String]?
  /// Writes a page of this run, and returns what is to be told about it.
  var page: @Sendable () -> String
  /// What else a key does; it returns what is to be told about it, and `nil` if the key does nothing.
  var press: @Sendable (TerminalKey) -> DashboardMessage? = { _ in nil }
  /// What the keys of the scenario do, for the help.
  var help: [String] = []
  /// What is shown below the fields, if there is space, of an earlier time or of the present.
  var more: @Sendable (TerminalSize, Duration?) -> [String] = { _, _ in [] }
  /// The user has seen enough.
  let ends = Subject<Void, Never>()

  /// What all keys do; empty if none are read.
  var allHelp: [String] {
    keys == nil
      ? []
      : help + [
        "space   stop the picture, and show the present again",
        "← →     go a second back in time, and forward",
        "w       write a page of this run, for a browser",
        "?       show or hide this help",
        "q       quit, as do escape and ^D",
      ]
  }
}
