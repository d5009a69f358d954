/// The arguments of a program, as `--name value` and `--name` without a value.
package struct Arguments: Sendable {
  /// What is wrong with them, with the remedy.
  package struct Mistake: Error, CustomStringConvertible {
    /// A sentence in English.
    package let description: String

    /// Makes a mistake of a sentence.
    package init(description: String) {
      self.description = description
    }
  }

  private var values: [String: [String]] = [:]

  /// Reads arguments, without the name of the program.
  ///
  /// - Parameters:
  ///   - arguments: the words.
  ///   - options: the names of those with values.
  ///   - lists: the names of those that take all words up to the next name.
  ///   - flags: the names of those without a value.
  package init(
    _ arguments: some Sequence<String>,
    options: Set<String>,
    lists: Set<String> = [],
    flags: Set<String> = []
  ) throws(Mistake) {
    var open: String?
    for word in arguments {
      if word.hasPrefix("--") {
        if let open { try check(open, lists) }
        let name = String(word.dropFirst(2))
        guard options.contains(name) || lists.contains(name) || flags.contains(name) else {
          throw Mistake(description: "There is no option \(word). Try --help.")
        }
        guard values.updateValue([], forKey: name) == nil else {
          throw Mistake(description: "\(word) is given twice.")
        }
        open = flags.contains(name) ? nil : name
      } else if let name = open {
        values[name, default: []].append(word)
        if !lists.contains(name) { open = nil }
      } else {
        throw Mistake(description: "\"\(word)\" belongs to no option. Try --help.")
      }
    }
    if let open { try check(open, lists) }
  }

  private func check(_ name: String, _ lists: Set<String>) throws(Mistake) {
    if values[name]?.isEmpty ?? true { throw Mistake(description: "--\(name) needs a value.") }
  }

  /// Whether an option is there.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The words of an option; none without it.
  package func list(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option.
  package func text(_ name: String) -> String? { values[name]?.first }

  /// The value of an option that is a number in a range.
  package func number<Number: LosslessStringConvertible & Comparable>(
    _ name: String,
    in range: ClosedRange<Number>
  ) throws(Mistake) -> Number? {
    guard let text = text(name) else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw Mistake(description: "--\(name) takes a number in \(range), not \(text).")
    }
    return number
  }
}
