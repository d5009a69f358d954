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
@usableFromInline
struct OwnEvents<State: AggregateState> {
  /// The number of the event that was sent last.
  @usableFromInline var sent = 0
  /// The number of the last event that is known to have been folded, or refused, or dropped.
  @usableFromInline var folded = 0
  @usableFromInline var waiting: [(number: Int, event: State.Event)]
  /// The state with events applied that wait, up to a number; `nil` if it has to be made anew. It is kept because each
  /// event that is sent would otherwise apply all that wait.
  @usableFromInline var ahead: State?
  @usableFromInline var applied = 0

  @inlinable
  init() {
    waiting = []
    ahead = nil
  }

  /// Is `true` if every event is known to have been folded.
  @inlinable
  var areFolded: Bool { waiting.isEmpty }

  /// The events that wait and have not been applied to `ahead`.
  @inlinable
  var unapplied: ArraySlice<(number: Int, event: State.Event)> {
    guard ahead != nil else { return waiting[...] }
    var first = waiting.endIndex
    while first > 0, waiting[first - 1].number > applied { first -= 1 }
    return waiting[first...]
  }

  /// Notes an event that is being sent.
  ///
  /// - Returns: its number, which rises by one with each event.
  @inlinable
  mutating func append(_ event: State.Event) -> Int {
    sent += 1
    waiting.append((sent, event))
    return sent
  }

  // What is taken out is returned, and released by the caller: that may run code of the user, which may send the next
  // event.

  /// Notes that the last event has been folded, or refused, or dropped, and all events before it.
  ///
  /// - Returns: the last event; `nil` if there is none.
  @inlinable
  mutating func foldLast() -> State.Event? {
    folded = sent
    return waiting.popLast()?.event
  }

  /// Takes out the state that is ahead: it has to be made anew.
  @inlinable
  mutating func takeAhead() -> State? {
    ahead.take()
  }

  /// Forgets an event that was not accepted.
  @usableFromInline
  mutating func remove(_ number: Int) -> (event: State.Event?, ahead: State?) {
    // It is the last one, or close to it. What was applied before it need not be applied anew.
    let index = waiting.lastIndex { $0.number == number }
    return (index.map { waiting.remove(at: $0).event }, applied >= number ? ahead.take() : nil)
  }

  /// Notes that the events up to a number have been folded, or refused, or dropped.
  ///
  /// - Returns: what is not needed any more; `nil` if that was known.
  @usableFromInline
  mutating func fold(through number: Int) -> (events: ArraySlice<(number: Int, event: State.Event)>, ahead: State?)? {
    assert(number <= sent, "An event was folded that has not been sent.")
    guard number > folded else { return nil }
    folded = number
    let events = waiting.prefix { $0.number <= number }
    waiting = Array(waiting[events.endIndex...])
    return (events, ahead.take())
  }

  /// Returns whether so many events would be folded that it pays to apply the others anew.
  @usableFromInline
  func isWorthFolding(through number: Int) -> Bool {
    (number - folded) * 2 >= waiting.count
  }
}
