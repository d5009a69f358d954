import ArgumentParser

/// What a storm is made of.
struct StormOptions: ParsableArguments, Sendable {
  static let standardEvents = 1_000_000

  @Option(
    name: .customLong("events"),
    help: "Append so many events. (default: \(StormOptions.standardEvents) if there is no --seconds, either)"
  )
  var wantedEvents: Int?
  @Option(help: "Append for so many seconds; with --events, at a pace that needs about the time.")
  var seconds: Double?
  @Option(parsing: .upToNextOption, help: "Use these servers instead of starting one; they are not killed.")
  var servers: [String] = []
  @Flag(name: .customLong("three-servers"), help: "Start three servers, with three replicas of each partition.")
  var hasThreeServers = false
  @Flag(name: .customLong("synced"), help: "The servers sync their disks before they acknowledge.")
  var isSynced = false
  @Flag(name: .customLong("poison"), help: "Publish messages that are no entries, which owners pass over.")
  var isPoisoned = false
  @Flag(name: .customLong("reactions"), help: "Owners react to each entry before they commit it.")
  var hasReactions = false
  @Flag(name: .customLong("stall"), help: "Most of three servers stand still for a while, again and again.")
  var isStalled = false
  @Option(name: .customLong("from"), help: "With --stall: an older server program, from which servers are upgraded.")
  var olderServer: String?
  @Option(help: "Put an older copy of the store back: of the partitions alone, or of the whole store with the records.")
  var putBack: PutBack?
  @Option(help: "Kill a server at most so many times.")
  var brokerKills: Int?
  @Option(help: "How many partitions the log has.")
  var partitions = 8
  @Option(help: "How many owners there are at a time.")
  var owners = 3
  @Option(help: "How many publishers there are.")
  var publishers = 2
  @Option(help: "How many keys each publisher has.")
  var keys = 500
  @Option(help: "Another seed kills at other times.")
  var seed: UInt64 = 1
  @Option(help: "Have owners or publishers make a mistake, which must be found.")
  var mutant: Mutant?
  @Flag(name: .customLong("keep"), help: "Keep the folder of the servers.")
  var keepsFolder = false

  /// How many events are appended; `nil` if only the time ends it.
  var events: Int? { wantedEvents ?? (seconds == nil ? Self.standardEvents : nil) }

  /// How long an append of a publisher may take: not long, so that there are some of which nothing is known.
  var appendLimit: Duration { isStalled ? .seconds(2) : .milliseconds(500) }
  /// How long a commit may take; `nil` for the standard.
  var commitLimit: Duration? { isStalled ? .seconds(4) : nil }

  mutating func validate() throws {
    if let mutant { mutant.choose(&self) }
    if isStalled {
      hasThreeServers = true
      if wantedEvents == nil, seconds == nil { seconds = 60 }
    }
    try check("events", wantedEvents, in: 1...1_000_000_000)
    try check("seconds", seconds, in: 0.1...86_400)
    try check("broker-kills", brokerKills, in: 0...10_000)
    try check("partitions", partitions, in: 1...256)
    try check("owners", owners, in: 1...32)
    try check("publishers", publishers, in: 1...32)
    try check("keys", keys, in: 1...1_000_000)
    if isStalled, putBack != nil {
      throw ValidationError("--stall and --put-back are two storms; run one after the other.")
    }
    if olderServer != nil, !isStalled { throw ValidationError("--from needs --stall.") }
  }

  /// Finds that the number of an option is out of its range. An option that is not given is right.
  private func check<Number: Comparable>(_ name: String, _ number: Number?, in range: ClosedRange<Number>) throws {
    guard let number, !range.contains(number) else { return }
    throw ValidationError("--\(name) takes a number in \(range), not \(number).")
  }
}

/// What of an older store is put back.
enum PutBack: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// The streams of the partitions. The records are those of later, as after a backup whose parts do not fit together.
  case partitions
  /// All of it. Only who has seen more can notice.
  case store
}

/// A mistake that a storm can be told to make, to see that its verifier notices.
enum Mutant: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// An owner folds an entry twice.
  case doubleFold = "double-fold"
  /// An owner leaves an entry out, in silence.
  case skippedEntry = "skipped-entry"
  /// An owner that was deposed commits its rows all the same.
  case ignoredFence = "ignored-fence"
  /// An owner folds on without a look at which entry stands at the offset of its record.
  case uncheckedIdentity = "unchecked-identity"
  /// An owner says that a log went back, which did not.
  case falseAlarm = "false-alarm"
  /// An owner reacts again to what was committed.
  case repeatedReaction = "repeated-reaction"
  /// An owner commits entries to which it has not reacted.
  case missedReaction = "missed-reaction"
  /// A publisher says that events were acknowledged, which it has not appended.
  case lostAppend = "lost-append"
  /// A publisher appends events again whose append was acknowledged.
  case doubledAppend = "doubled-append"
  /// A publisher appends two events in the wrong order.
  case swappedAppend = "swapped-append"
  /// A publisher is told that an append was refused, of which there was no answer.
  case refusedAppend = "refused-append"
  /// Events of which there was no answer are appended again, as a server does that knows no batches.
  case repeatedAppend = "repeated-append"
  /// An owner that has had no answer to a commit says that it was deposed.
  case falseDeposal = "false-deposal"
  /// A publisher takes the log for one with half of the partitions.
  case ownPartitions = "own-partitions"
}

extension Mutant {
  /// Chooses the storm in which the mistake matters.
  fileprivate func choose(_ options: inout StormOptions) {
    switch self {
    case .repeatedReaction, .missedReaction: options.hasReactions = true
    case .uncheckedIdentity: options.putBack = .partitions
    case .refusedAppend, .repeatedAppend, .falseDeposal, .ownPartitions: options.isStalled = true
    default: break
    }
  }
}
