/// An option that a command line may have.
struct CommandOption: Equatable, Sendable {
  /// With its dashes: `--seconds`.
  let name: String
  /// The name of its value in the help, and an example of one; `nil` if it takes no value.
  var value: (name: String, example: String)?
  /// What it does, in lines for the help.
  let help: String

  /// As the usage shows it: `--seconds N`.
  var usage: String { name + (value.map { " \($0.name)" } ?? "") }

  /// A name belongs to one option.
  static func == (one: CommandOption, other: CommandOption) -> Bool { one.name == other.name }
}

/// The options of several scenarios.
extension CommandOption {
  static let seconds = CommandOption(
    name: "--seconds",
    value: ("N", "30"),
    help: "End after N seconds; 0 stands for no end."
  )

  static let json = CommandOption(name: "--json", help: "Write one JSON object a line.")

  static let record = CommandOption(
    name: "--record",
    value: ("FILE", "run.rasp"),
    help: "Write the newest 100,000 events into a file at the end of the run, also after ^C."
  )

  static let journal = CommandOption(
    name: "--journal",
    value: ("DIR", "journal"),
    help: "Keep all events in a folder, and go on from what is in it: stop the run, start it again."
  )

  static let why = CommandOption(
    name: "--why",
    value: ("FIELD", "heading"),
    help: "Explain the last value of a field: the event that has set it, and what brought that about."
  )
}
