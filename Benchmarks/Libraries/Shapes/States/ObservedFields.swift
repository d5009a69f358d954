import Aggregate
import Observation
import RASPObservation

/// Ten of something; of tens of tens, a thousand fields.
private struct Ten<Content: Sendable>: Sendable {
  var a, b, c, d, e, f, g, h, i, j: Content

  init(_ content: Content) {
    (a, b, c, d, e) = (content, content, content, content, content)
    (f, g, h, i, j) = (content, content, content, content, content)
  }

  static var fields: [WritableKeyPath<Ten, Content>] { [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j] }
}

/// A domain of a thousand fields. The last one changes.
private struct PanelState: AggregateState {
  var dials = Ten(Ten(Ten(0)))

  mutating func apply(_ value: Int) {
    dials.j.j.j = value
  }

  /// The last one comes first.
  static var fields: [KeyPath<PanelState, Int>] {
    let fields = Ten<Ten<Ten<Int>>>.fields.flatMap { outer in
      Ten<Ten<Int>>.fields.flatMap { middle in
        Ten<Int>.fields.map { (\PanelState.dials).appending(path: outer).appending(path: middle).appending(path: $0) }
      }
    }
    return fields.reversed()
  }
}

/// The object, and the observers of some of its fields, each of which is one view.
@MainActor
private final class Panel {
  let observed = Observed(Aggregator(initial: PanelState()))
  let changed = Tally()
  let others = Tally()

  init(observing count: Int) {
    for field in PanelState.fields[1..<count] { observe(field, others) }
  }

  func send(_ events: Int) {
    for event in 1...events {
      observe(\.dials.j.j.j, changed)
      observed.send(event)
    }
  }

  private func observe(_ field: KeyPath<PanelState, Int>, _ tally: Tally) {
    withObservationTracking {
      _ = observed[field]
    } onChange: {
      tally.increment()
    }
  }
}

extension Shape {
  /// Observers of so many fields, and events that change one of these. Its observer reads it again each time.
  static func observedFields(_ count: Int) -> Shape {
    Shape(events: 10_000) { events in
      let panel = await Panel(observing: count)
      return Run {
        await panel.send(events)
      } proofs: {
        [
          Proof("changes", panel.changed.count, is: events),
          Proof("changes of other fields", panel.others.count, is: 0),
        ]
      }
    }
  }
}
