import Aggregate
import RASPInsight
import Streams

extension Shape {
  /// What each event of a recording has changed, found for a drawing.
  static let runFlattened = Shape("run-flattened", events: 5_000) { count in
    let recording = journey(count)
    let tally = Tally()
    return Run {
      tally.increment(by: recording.timeline.occurrences.count)
    } proofs: {
      [Proof("occurrences", tally.count, is: count)]
    }
  }

  /// The state after each event as a text of the standard library, which tells no fields apart.
  static let statesAsText = Shape("states-as-text", events: 5_000) { count in
    let recording = journey(count)
    let tally = Tally()
    return Run {
      recording.replay { _, state, _ in if !"\(state)".isEmpty { tally.increment() } }
    } proofs: {
      [Proof("texts", tally.count, is: count)]
    }
  }

  /// A run drawn as a page.
  static func runAsPage(_ events: Int) -> Shape {
    drawn("run-page-\(events)", events) { $0.page }
  }

  /// A run drawn as a picture.
  static func runAsPicture(_ events: Int) -> Shape {
    drawn("run-svg-\(events)", events) { $0.svg() }
  }

  private static func drawn(
    _ name: String,
    _ events: Int,
    _ draw: @escaping @Sendable (Timeline) -> String
  ) -> Shape {
    Shape(name, events: events) { count in
      let timeline = journey(count).timeline
      let tally = Tally()
      return Run {
        tally.increment(by: draw(timeline).utf8.count)
      } proofs: {
        [Proof("bytes", tally.count, isIn: 20 * count...2_000 * count + 100_000)]
      }
    }
  }
}

/// A recording of many events of a small state.
private func journey(_ count: Int) -> Recording<NavigationState> {
  let entries = (1...count).map { number in
    Recording<NavigationState>.Entry(
      number: number,
      event: number.isMultiple(of: 2) ? .heading(number % 360) : .speed(Double(number % 90) / 10),
      cause: Cause(lane: 1, number: number - 1),
      time: .milliseconds(number)
    )
  }
  let recording = Recording(
    name: "journey",
    lane: 1,
    initial: NavigationState(),
    entries: entries,
    state: NavigationState()
  )
  var state = NavigationState()
  recording.replay { _, newer, _ in state = newer }
  return Recording(name: "journey", lane: 1, initial: NavigationState(), entries: entries, state: state)
}
