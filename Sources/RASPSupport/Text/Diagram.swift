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
package struct Diagram: Sendable, Equatable {
  package enum Event: Sendable, Equatable {
    case value(String)
    case finished
    case failed
    case cancelled
  }

  /// The events of each step.
  package var steps: [[Event]]

  package init(steps: [[Event]]) {
    self.steps = steps
  }

  /// All of them as text, with the same step in the same column.
  package static func aligned(_ diagrams: [Diagram]) -> [String] {
    var texts = Array(repeating: "", count: diagrams.count)
    for step in 0..<(diagrams.map(\.steps.count).max() ?? 0) {
      let cells = diagrams.map { $0.text(step) }
      let width = cells.map(\.count).max() ?? 0
      for (index, cell) in cells.enumerated() {
        texts[index] += cell + String(repeating: " ", count: width - cell.count)
      }
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
