/// An option that a command line may have.
struct CommandOption: Sendable {
  /// With its dashes: `--seconds`.
  let name: String
  /// The name of its value in the help, and an example of one; `nil` if it takes no value.
  var value: (name: String, example: String)?
  /// What it does, for the help.
  let help: String

  /// As the usage shows it: `--seconds N`.
  var usage: String { name + (value.map { " \($0.name)" } ?? "") }
}

/// The arguments of a command line, taken apart: what has a name, and what has a place.
struct Arguments: Equatable, Sendable {
  /// What is no option, in order. What understands an argument takes it away.
  private(set) var positionals: ArraySlice<String> = []
  /// The options by their names. The value of an option that takes none is empty.
  private(set) var values: [String: String] = [:]

  /// Reads the arguments after the program's name; `nil` stands for `--help`.
  ///
  /// - Parameter options: those that there are: whether the next argument is the value of an option depends on it.
  static func parse(_ texts: [String], knowing options: [CommandOption]) throws(RunFailure) -> Arguments? {
    var arguments = Arguments()
    var rest = texts[...]
    while let text = rest.popFirst() {
      guard text.hasPrefix("-"), text != "-" else {
        arguments.positionals.append(text)
        continue
      }
      if text == "--help" || text == "-h" { return nil }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      guard let option = options.first(where: { $0.name == parts[0] }), option.value != nil || parts.count == 1 else {
        throw .usage("unknown option \(text.quoted)")
      }
      if let value = option.value {
        guard let text = parts.count > 1 ? parts[1] : rest.popFirst(), !text.hasPrefix("--") else {
          throw .usage("\(option.name) needs a value, as in \(option.name) \(value.example)")
        }
        arguments.values[option.name] = text
      } else {
        arguments.values[option.name] = ""
      }
    }
    return arguments
  }

  /// Takes the next argument that has a place; `nil` if there is none.
  mutating func next() -> String? { positionals.popFirst() }

  /// The value of an option, if it is given.
  subscript(option: CommandOption) -> String? { values[option.name] }
}
