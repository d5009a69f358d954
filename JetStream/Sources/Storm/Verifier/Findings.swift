/// What a verifier has found.
struct Findings: Equatable, Sendable {
  /// What was there to be checked.
  var events = 0
  /// Messages that are no events.
  var skipped = 0
  var rows = 0
  var acknowledged = 0
  /// Events whose append has had no answer, and how many of them are in the log.
  var unknown = 0
  var unknownFound = 0
  /// Events that were appended again when there had been no answer, and how many of them are in the log twice.
  var resent = 0
  var resentTwice = 0
  /// Acknowledged events that went with the store in whose place an older one was put.
  var takenAway = 0

  /// Acknowledged events that are not in the log.
  var lost = 0
  /// Events that are in the log more than once.
  var doubled = 0
  /// Events that stand behind a later one of their publisher.
  var disordered = 0
  /// Events that no publisher has appended.
  var foreign = 0
  /// Events whose append was refused, which nothing gives a reason for, and how many of them are in the log.
  var refused = 0
  var refusedFound = 0
  /// Places where the offsets of the log have a hole, or end before the newest entry.
  var gaps = 0
  /// Rows of the records that differ from what the log folds to.
  var wrongRows = 0
  /// Partitions whose record is behind the log although their owners had ended in order.
  var unfinished = 0
  /// Commits that have replaced another record than the one that they name.
  var blindCommits = 0
  /// Entries that were reacted to although a record had them, and those that a record has and that were not.
  var repeatedReactions = 0
  var missedReactions = 0
  /// What owners have said that did not happen, and what they have not said that did.
  var falseReports = 0
  /// Partitions that have no owner at the end.
  var unowned = 0
  /// The partitions of these rows.
  var wrongPartitions: Set<Int> = []
  /// The first few of them, in words.
  private(set) var details: [String] = []

  /// Whether nothing is wrong.
  var areRight: Bool { wrong.allSatisfy { $0.count == 0 } }

  /// What may be wrong, with its number.
  var wrong: [(name: String, count: Int)] {
    [
      ("acknowledged events lost", lost), ("events doubled", doubled), ("events out of order", disordered),
      ("events of no publisher", foreign), ("events refused", refused), ("events refused and in the log", refusedFound),
      ("gaps in the log", gaps), ("partitions not finished", unfinished),
      ("wrong rows", wrongRows), ("commits of an owner that was deposed", blindCommits),
      ("entries reacted to again", repeatedReactions),
      ("entries without a reaction", missedReactions), ("reports that are not true", falseReports),
      ("partitions without an owner", unowned),
    ]
  }

  /// The same with what a driver has found.
  func adding(_ other: Findings) -> Findings {
    var sum = self
    sum.falseReports += other.falseReports
    sum.unowned += other.unowned
    sum.details += other.details
    return sum
  }

  mutating func explain(_ detail: @autoclosure () -> String) {
    if details.count < 20 { details.append(detail()) }
  }
}
