import RASPSupport

/// Diagrams as they are written in tests.
extension Diagram {
  /// The reason for which a text is not a diagram, and the text to write instead.
  struct SyntaxError: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads a diagram.
  init(_ text: String) throws(SyntaxError) {
    var steps: [[Event]] = []
    var group: [Event]?
    for character in text {
      switch character {
      case _ where character.isWhitespace:
        continue
      case "[":
        guard group == nil else {
          throw SyntaxError(description: "`\(text)`: a group inside a group; close the first one with `]`")
        }
        group = []
      case "]":
        guard let events = group else {
          throw SyntaxError(description: "`\(text)`: `]` without `[`; a group is written `[ab]`")
        }
        steps.append(events)
        group = nil
      case "-":
        guard group == nil else {
          throw SyntaxError(description: "`\(text)`: time does not pass inside a group; write `-` outside of it")
        }
        steps.append([])
      default:
        let event = Event(character)
        if group == nil { steps.append([event]) } else { group?.append(event) }
      }
    }
    if group != nil { throw SyntaxError(description: "`\(text)`: the group is not closed; end it with `]`") }
    if steps.isEmpty {
      throw SyntaxError(
        description: "`\(text)`: there is no step in it; a step in which nothing happens is written `-`"
      )
    }
    let order = steps.joined()
    if let end = order.firstIndex(where: \.isLast), order.index(after: end) != order.endIndex {
      throw SyntaxError(description: "`\(text)`: something happens after the end; nothing may follow `|`, `^` or `;`")
    }
    self.init(steps: steps)
  }
}

extension Diagram.Event {
  fileprivate init(_ character: Character) {
    self =
      switch character {
      case "|": .finished
      case "^": .failed
      case ";": .cancelled
      default: .value(String(character))
      }
  }

  fileprivate var isLast: Bool {
    if case .value = self { false } else { true }
  }
}
