import Aggregate

/// The events that the main actor has sent and that may still wait in the line of the aggregator, in order.
///
/// A state that was read in line says up to which of them it has folded. The others are applied to a copy of it, and
/// that copy is shown. So the main actor sees its own events at once, each of them once.
///
/// ```
///   sent by the main actor        1  2  3  4
///   read in line, folded up to          2
///   shown                         that state, with 3 and 4 applied
/// ```
struct OwnEvents<State: AggregateState> {
  /// The number of the event that was sent last.
  private(set) var sent = 0
  private var folded = 0
  private var waiting: [(number: Int, event: State.Event)] = []

  /// Is `true` if every event is known to have been folded.
  var areFolded: Bool { waiting.isEmpty }

  /// Notes an event that is being sent.
  ///
  /// - Returns: its number, which rises by one with each event.
  mutating func append(_ event: State.Event) -> Int {
    sent += 1
    waiting.append((sent, event))
    return sent
  }

  /// Forgets an event that was not accepted.
  mutating func remove(_ number: Int) {
    waiting.removeAll { $0.number == number }
  }

  /// Notes that the events up to a number have been folded, or refused, or dropped.
  ///
  /// - Returns: `false` if that was known.
  mutating func fold(through number: Int) -> Bool {
    assert(number <= sent, "An event was folded that has not been sent.")
    guard number > folded else { return false }
    folded = number
    waiting.removeAll { $0.number <= number }
    return true
  }

  /// The state as it will be when the events that wait have been folded, if no others come before them.
  func applied(to state: State) -> State {
    var state = state
    for (_, event) in waiting { state = Self.state(state, after: event) }
    return state
  }

  private static func state(_ state: State, after event: State.Event) -> State {
    var changed = state
    do throws(State.Rejection) { try changed.apply(event) } catch { return state }
    return changed
  }
}
