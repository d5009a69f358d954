/// A mistake that a debug build noticed, a journal that failed, or a line that grows: the aggregator works on, but the
/// result may not be what was meant. Release builds look for no mistake but a read from inside `apply`; the others are
/// reported in every build.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum AggregatorDiagnostic: Sendable, Hashable, CustomStringConvertible {
  /// A state's `apply` sent an event to the aggregator that was calling it.
  case sentDuringApply

  /// A state's `apply` read the aggregator that was calling it: the snapshot, a row, a recording. Or it read another
  /// one, whose `apply` was reading the first one on another thread: only a debug build notices that, and in a release
  /// build both wait for ever, or the process stops. It is reported by the aggregator that was read, once, as soon as
  /// there is a subscriber.
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

  /// The problem and the remedy, in a sentence.
  public var description: String {
    switch self {
    case .sentDuringApply:
      "An event was sent from inside `apply`, and waits: send it from a subscriber of `events`."
    case .readDuringApply:
      "An aggregator was read from inside `apply`: use `self`, or send what another aggregator needs as an event."
    case .impureSelector(let field):
      "A selector of \(field) gave two results for one state: let it depend on the state alone."
    case .impureApply:
      "The recorded events lead to another state when folded again: let `apply` depend on state and event alone."
    case .repeatedSourceName(let name):
      "Another source named \"\(name)\" still runs, so the health of the new one is not watched: give it another name."
    case .lineGrown(let count):
      "\(count) events wait to be folded: send them with `submit`, which waits, or give the line a bound."
    case .eventsRefused(let count):
      "The bound of the line has refused \(count) events: send them with `submit`, which waits."
    case .journalFailed(let reason):
      "The journal does not have all events: \(reason)"
    }
  }
}
