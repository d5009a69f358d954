/// A mistake that a debug build noticed, a journal that failed, or a line that grows: the aggregator works on, but the
/// result may not be what was meant. Release builds look for no mistake but a read from inside `apply`; the others are
/// reported in every build.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum AggregatorDiagnostic: Sendable, Hashable, CustomStringConvertible {
  /// A state's `apply` sent an event to the aggregator that was calling it.
  case sentDuringApply

  /// A state's `apply` read the aggregator that was calling it: the snapshot, a row, a recording. Or it waited for that
  /// of another one, whose `apply` was running on another thread, which only a debug build notices. It is reported by
  /// the aggregator that was read, once, as soon as there is a subscriber.
  case readDuringApply

  /// A selector gave two different results for one state.
  case impureSelector(field: String)

  /// The recorded events, folded again, lead to another state than they did before.
  case impureApply

  /// Two sources that run at the same time were given one name.
  case repeatedSourceName(String)

  /// The journal of the aggregator has failed or has lost something, with its reason. It is reported in every build.
  case journalFailed(String)

  /// Events are sent faster than they are folded, and so many wait by now. It is reported at 65,536 and each time the
  /// number has doubled, in every build.
  case lineGrown(Int)

  /// The bound of the line has refused so many events so far. It is reported at the first one and each time the number
  /// has doubled, in every build.
  case eventsRefused(Int)

  /// The problem, what it means, and the remedy.
  public var description: String {
    switch self {
    case .sentDuringApply:
      """
      An event was sent from inside `apply`. It waits and is folded after the current one, which hides a loop from the \
      reader. Send it from a subscriber of `events`, or change the state directly.
      """
    case .readDuringApply:
      """
      The snapshot, a row or a recording was read from inside `apply`, while it was being changed. From inside its own \
      `apply` the reader got the initial state, or no rows: use `self`, which is the state. From inside the `apply` of \
      another aggregator it waits, and two that read each other in this way wait for ever: send what the other one needs \
      as an event.
      """
    case .impureSelector(let field):
      """
      A selector of \(field) gave different results for the same state, so its subscribers are told of changes that did \
      not happen. Let it depend on the state alone.
      """
    case .impureApply:
      """
      The recorded events lead to another state when they are folded again, so what is computed from the recording is \
      wrong. Let `apply` depend on the state and the event alone: on no clock, no random number, no object that changes, \
      and not on the order of a set or a dictionary.
      """
    case .repeatedSourceName(let name):
      """
      Another source is named "\(name)" and still runs. The new one is folded, but its health is not watched. Give it \
      another name, or remove the other source first.
      """
    case .lineGrown(let count):
      """
      \(count) events wait to be folded: they are sent faster than they are folded, and memory grows with them. Send \
      them with `submit`, which waits for the aggregator, or give the line a bound by `buffering:`.
      """
    case .eventsRefused(let count):
      """
      The bound of the line has refused \(count) events: they were sent faster than they are folded, and `send` has \
      returned `false`. Send them with `submit`, which waits until an event has been folded.
      """
    case .journalFailed(let reason):
      "The journal does not have all events: \(reason) The aggregator works on."
    }
  }
}
