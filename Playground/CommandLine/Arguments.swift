/// The arguments of a command line, taken apart: what has a name, and what has a place.
struct Arguments: Equatable, Sendable {
  /// What is no option, in order. Who understands an argument takes it away.
  private(set) var positionals: ArraySlice<String> = []
  /// The options by their names. The value of an option that takes none is empty.
  private var values: [String: String] = [:]

  /// Reads the arguments after the program's name; `nil` stands for `--help`.
  ///
  /// - Parameter options: those that there are: whether the next argument is the value of an option depends on it.
  static func parse(_ texts: [String], knowing options: [CommandOption]) throws(RunFailure) -> Arguments? {
    var arguments = Arguments()
    var rest = texts[...]
    while let text = rest.popFirst() {
      if text == "--" {
        arguments.positionals += rest
        return arguments
      }
      guard text.hasPrefix("-"), text != "-" else {
        arguments.positionals.append(text)
        continue
      }
      if text == "--help" || text == "-h" { return nil }
      let (name, attached) = split(text)
      guard let option = options.first(where: { $0.name == name }), option.value != nil || attached == nil else {
        throw .usage("unknown option \(text.quoted)")
      }
      arguments.values[name] = if let attached { attached } else { try value(of: option, in: &rest) }
    }
    return arguments
  }

  /// Takes the next argument that has a place; `nil` if there is none.
  mutating func next() -> String? { positionals.popFirst() }

  /// The names of the options that are given, in alphabetical order.
  var names: [String] { values.keys.sorted() }

  /// The value of an option, if it is given.
  subscript(option: CommandOption) -> String? { values[option.name] }

  /// Takes `--name=value` apart; anything else is a name.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private static func value(
    of option: CommandOption,
    in rest: inout ArraySlice<String>
  ) throws(RunFailure) -> String {
    guard let value = option.value else { return "" }
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw .usage("\(option.name) needs a value, as in \(option.name) \(value.example)")
    }
    rest.removeFirst()
    return next
  }
}
