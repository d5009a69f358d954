/// What `files` is asked to do.
enum FilesVerb: String, CaseIterable, Sendable {
  case list, verify, dump, export, cut

  /// The options that it takes.
  var options: [CommandOption] {
    switch self {
    case .list, .verify: [.json]
    case .dump: []
    case .export: [.from, .until, .out]
    case .cut: [.json, .at, .out]
    }
  }
}

extension CommandOption {
  static let from = CommandOption(name: "--from", value: ("PLACE", "1204"), help: "Begin with an event, or at a date.")

  static let until = CommandOption(name: "--until", value: ("PLACE", "1300"), help: "End with an event, or at a date.")

  static let out = CommandOption(
    name: "--out",
    value: ("PATH", "copy"),
    help: "Write to a path at which there is nothing."
  )
}
