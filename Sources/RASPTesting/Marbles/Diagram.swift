/// A marble diagram: the events of a stream as text, one character per step of time.
///
/// | | |
/// |---|---|
/// | `-` | a step in which nothing happens |
/// | `a` | a value: any other character that is not listed here |
/// | `\|` | the stream finishes |
/// | `^` | the stream fails |
/// | `;` | the observer cancels, after whatever else happens in that step |
/// | `[ab\|]` | all this happens in one step, in this order |
/// | space | nothing, not even time: for lining up |
struct Diagram: Sendable, Equatable {
  enum Event: Sendable, Equatable {
    case value(String)
    case finished
    case failed
    case cancelled
  }

  /// The reason for which a text is not a diagram, and the text to write instead.
  struct SyntaxError: Error, CustomStringConvertible {
    let description: String
  }

  /// The events of each step.
  var steps: [[Event]]

  init(steps: [[Event]]) {
    self.steps = steps
  }

  init(_ text: String) throws(SyntaxError) {
    steps = []
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
  }

  /// Both as text, with the same step in the same column.
  static func aligned(_ first: Diagram, _ second: Diagram) -> (String, String) {
    var texts = ("", "")
    for step in 0..<max(first.steps.count, second.steps.count) {
      let cells = (first.text(step), second.text(step))
      let width = max(cells.0.count, cells.1.count)
      texts.0 += cells.0 + String(repeating: " ", count: width - cells.0.count)
      texts.1 += cells.1 + String(repeating: " ", count: width - cells.1.count)
    }
    return texts
  }

  private func text(_ step: Int) -> String {
    guard step < steps.count else { return "" }
    let events = steps[step].map(\.text)
    return switch events.count {
    case 0: "-"
    case 1 where events[0].count == 1: events[0]
    default: "[" + events.joined() + "]"
    }
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

  /// A value that would read as something else is set off: one that is not one character long, or is part of the
  /// syntax.
  fileprivate var text: String {
    switch self {
    case .value(let value): value.count == 1 && !"-|^;[] ".contains(value) ? value : "(\(value))"
    case .finished: "|"
    case .failed: "^"
    case .cancelled: ";"
    }
  }
}
