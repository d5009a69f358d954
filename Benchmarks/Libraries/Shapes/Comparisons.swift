extension Comparison {
  /// The table, row by row. A new row is a line here.
  public static let all: [Comparison] = streams + keyed + insight + views + lifetimes + services + commands + files

  private static let insight: [Comparison] = [
    Comparison(
      "the pipeline, recorded: the newest 512 events with their causes and times, and the state before them",
      against: "the pipeline",
      .recordedPipeline,
      .pipeline,
      .takesAtMost(1.2)
    ),
    Comparison(
      "the pipeline, recorded without the state before the events",
      against: "the pipeline",
      .pipelineWithEventsRecorded,
      .pipeline,
      .takesAtMost(1.2)
    ),
    Comparison(
      "an event into a state with a dictionary of 100,000 entries, recorded",
      against: "the same, not recorded",
      .dictionary(entries: 100_000, isRecorded: true),
      .dictionary(entries: 100_000),
      .takesAtMost(1.5)
    ),
    Comparison(
      "a synchronous command, recorded: the newest 512 executions and events with their causes and times",
      against: "the command",
      .command(besideOthers: 1, isRecorded: true),
      .command(besideOthers: 1),
      .takesAtMost(1.15)
    ),
    Comparison(
      "`send`, recorded: the newest 512 actions with their causes and times",
      against: "`send`",
      .send(toOneOf: 1, isRecorded: true),
      .send(toOneOf: 1),
      .takesAtMost(1.15)
    ),
    Comparison(
      "an event into one of 10,000 rows, recorded: the newest 512 of all rows, and the states before them",
      against: "the same, not recorded",
      .keyedRecorded,
      .keyedUnobserved,
      .takesAtMost(6)
    ),
    Comparison(
      "what an event of a recording has changed, field by field, for a drawing",
      against: "the state as a text",
      .runFlattened,
      .statesAsText,
      .takesAtMost(4)
    ),
    Comparison(
      "an event drawn in a page of 20,000",
      against: "in one of 2,000",
      .runAsPage(20_000),
      .runAsPage(2_000),
      .takesAtMost(1.3)
    ),
    Comparison(
      "an event drawn in a picture of 5,000",
      against: "in one of 500",
      .runAsPicture(5_000),
      .runAsPicture(500),
      .takesAtMost(1.3)
    ),
  ]

  private static let streams: [Comparison] = [
    Comparison(
      "the pipeline: 2 subjects → aggregator → 3 selections with observers, alternating events of an enum",
      against: "a hand-written `Mutex` around fold and three compares",
      .pipeline,
      .handWrittenPipeline,
      .takesAtMost(2.2)
    ),
    Comparison(
      "the same",
      against: "OpenCombine (`flatMap` merge, `scan`, `share`, `map`, `removeDuplicates`, `sink`)",
      .pipeline,
      .openCombinePipeline,
      .isFasterAtLeast(40)
    ),
    Comparison(
      "the same",
      against: "AsyncStream, `merge`, `reductions`, `share`, `removeDuplicates` of AsyncAlgorithms",
      .pipeline,
      .asyncAlgorithmsPipeline,
      .isFasterAtLeast(150)
    ),
    Comparison(
      "one synchronous operator more in a chain (`map`)",
      against: "a plain closure call",
      .mapChain,
      .closureChain,
      .takesAtMost(2)
    ),
    Comparison(
      "a value through a `merge` of two subjects",
      against: "a subject with the same observer",
      .merge,
      .unmerged,
      .takesAtMost(3)
    ),
    Comparison(
      "an event into a state with a dictionary of 100,000 entries, one selection on its count",
      against: "the same with 10 entries",
      .dictionary(entries: 100_000),
      .dictionary(entries: 10),
      .takesAtMost(1.3)
    ),
    Comparison(
      "1,000 observers on 3 distinct selections of fields that do not change",
      against: "3 observers",
      .unchangedFields(observers: 1_000),
      .unchangedFields(observers: 3),
      .takesAtMost(3)
    ),
    Comparison(
      "10,000 rows selected one by one below a parent field, an event that changes another field",
      against: "no rows selected",
      .unchangedRows(selected: 10_000),
      .unchangedRows(selected: 0),
      .takesAtMost(1.5)
    ),
    Comparison(
      "10 selections by closure of a state that holds 8 arrays",
      against: "by key path",
      .fieldsByClosure,
      .fieldsByKeyPath,
      .takesAtMost(3)
    ),
    Comparison(
      "10,000 rows selected one by one by closures, 30 of which change",
      against: "a hand-written check of the rows",
      .changingRowsByClosure,
      .changingRowsByHand,
      .takesAtMostNanoseconds(100_000)
    ),
    Comparison(
      "the same by key path (`\\.rows[i]`)",
      against: "a hand-written check of the rows",
      .changingRowsByKeyPath,
      .changingRowsByHand,
      .takesAtMostNanoseconds(3_000_000)
    ),
    Comparison(
      "two threads sending at once into one aggregator",
      against: "one thread sending as many",
      .sendingThreads(2),
      .sendingThreads(1),
      .isFasterAtLeast(0.5)
    ),
    Comparison(
      "two subjects, each sent to by a thread of its own, into one aggregator",
      against: "one thread sending as many through one subject",
      .subjectsWithThreads(2),
      .subjectsWithThreads(1),
      .isFasterAtLeast(0.5)
    ),
    Comparison(
      "a `for await` reader of every event (`values(buffering: .unbounded)`)",
      against: "AsyncStream with one reader",
      .reader,
      .asyncStreamReader,
      .takesAtMost(1.5)
    ),
    Comparison(
      "a `for await` reader of the newest state",
      against: "no reader",
      .pipelineWithReader,
      .pipeline,
      .isFasterAtLeast(0.5)
    ),
    Comparison(
      "the way from an event to a `for await` reader of the newest value, in the concurrent pool",
      against: "AsyncStream that keeps the newest value",
      .newestAnswered(on: .pool),
      .asyncStreamAnswered(on: .pool),
      .takesAtMost(1)
    ),
    Comparison(
      "the same to a reader on the main actor",
      against: "AsyncStream that keeps the newest value",
      .newestAnswered(on: .mainActor),
      .asyncStreamAnswered(on: .mainActor),
      .takesAtMost(1)
    ),
  ]

  private static let keyed = [
    Comparison(
      "keyed: 30 events into 10,000 rows, every row subscribed to",
      against: "a dictionary of rows and one of callbacks, with a `Mutex`",
      .keyedRows(10_000),
      .keyedRowsByHand(10_000),
      .takesAtMostNanoseconds(25_000)
    ),
    Comparison(
      "the same",
      against: "a dictionary of rows and one of callbacks, with a `Mutex`; keyed",
      .keyedRows(10_000),
      .keyedRowsByHand(10_000),
      .takesAtMost(4)
    ),
    Comparison(
      "keyed: 30 events into 100,000 rows, every row subscribed to",
      against: "into 1,000 rows",
      .keyedRows(100_000),
      .keyedRows(1_000),
      .takesAtMost(3)
    ),
    Comparison(
      "the same: more rows than the caches of the machine hold slow both down",
      against: "a dictionary of rows and one of callbacks, with a `Mutex`, 100,000 rows",
      .keyedRows(100_000),
      .keyedRowsByHand(100_000),
      .takesAtMost(4)
    ),
    Comparison(
      "keyed: an event into one of 10,000 rows, without a subscriber",
      against: "`Mutex<[Key: Row]>`",
      .keyedUnobserved,
      .keyedUnobservedByHand,
      .takesAtMost(2)
    ),
    Comparison(
      "keyed: `each` with one subscriber, 10,000 rows",
      against: "without a subscriber",
      .keyedEach,
      .keyedUnobserved,
      .takesAtMost(1.5)
    ),
    Comparison(
      "keyed: the first 20 of 100,000 rows, a row gets another rank",
      against: "of 10,000 rows",
      .keyedRanking(100_000),
      .keyedRanking(10_000),
      .takesAtMost(2)
    ),
    Comparison(
      "keyed: two shards, each with a thread",
      against: "one shard with one thread",
      .keyedShards(2),
      .keyedShards(1),
      .isFasterAtLeast(1.6)
    ),
  ]

  private static let views = [
    Comparison(
      "`RASPObservation`: 1,000 fields observed, an event that changes one",
      against: "only this one observed",
      .observedFields(1_000),
      .observedFields(1),
      .takesAtMost(1.5)
    )
  ]

  private static let lifetimes: [Comparison] = [
    Comparison(
      "100,000 subscribers of a subject, cancelled at random",
      against: "in order",
      .leavingSubject(.atRandom),
      .leavingSubject(.inOrder),
      .takesAtMost(2)
    ),
    Comparison(
      "100,000 selections of an aggregator, cancelled at random",
      against: "in order",
      .leavingSelections(.atRandom),
      .leavingSelections(.inOrder),
      .takesAtMost(2)
    ),
    Comparison(
      "100,000 reactions to a command, cancelled at random",
      against: "in order",
      .leavingReactions(.atRandom),
      .leavingReactions(.inOrder),
      .takesAtMost(2)
    ),
    Comparison(
      "an aggregator without sources, made, used once and released",
      against: "an object with a `Mutex` and an array of observers",
      .makingAggregator,
      .makingModelByHand,
      .takesAtMostNanoseconds(3_000)
    ),
  ]

  private static let services = [
    Comparison(
      "`RASPServices`: `send` to one of 64 services",
      against: "to one of 1",
      .send(toOneOf: 64),
      .send(toOneOf: 1),
      .takesAtMost(1.5)
    )
  ]

  private static let commands =
    synchronousCommands + [
      Comparison(
        "`RASPCommands`: a command whose handler calls an actor, awaited",
        against: "a plain call of the actor",
        .awaitedHandler,
        .actorCall,
        .takesAtMostNanoseconds(2_900)
      ),
      Comparison(
        "the same, by an execution that is awaited",
        against: "a task that calls the actor, awaited",
        .awaitedExecution,
        .awaitedTask,
        .takesAtMost(2.5)
      ),
    ]

  private static let synchronousCommands = [10, 100, 1_000].map { others in
    Comparison(
      "`RASPCommands`: a synchronous command with \(others) other listeners",
      against: "with 1",
      .command(besideOthers: others),
      .command(besideOthers: 1),
      .takesAtMost(1.5)
    )
  }

  private static let files = [
    Comparison(
      "`RASPJournal`: an event of a recording written as JSON",
      against: "`JSONEncoder` alone",
      .recordingWritten("json", .codable),
      .jsonEncoded,
      .takesAtMost(1.3)
    ),
    Comparison(
      "`RASPJournal`: an event of a recording read as JSON",
      against: "`JSONDecoder` alone",
      .recordingRead("json", .codable),
      .jsonDecoded,
      .takesAtMost(1.3)
    ),
    Comparison(
      "`RASPJournal`: an event written by hand",
      against: "`JSONEncoder` alone",
      .recordingWritten("by-hand", .byHand),
      .jsonEncoded,
      .takesAtMostNanoseconds(500)
    ),
    Comparison(
      "`RASPJournal`: an event read by hand",
      against: "`JSONDecoder` alone",
      .recordingRead("by-hand", .byHand),
      .jsonDecoded,
      .takesAtMostNanoseconds(500)
    ),
    Comparison(
      "`RASPJournal`: a kilobyte of a recording read and checked (CRC-32C)",
      against: "read without a look at it",
      .recordingChecked,
      .fileRead,
      .takesAtMostNanoseconds(1_000)
    ),
    Comparison(
      "`RASPJournal`: the pipeline with a journal, while the writer keeps up",
      against: "the pipeline",
      .journaledPipeline,
      .pipeline,
      .takesAtMost(1.2)
    ),
    Comparison(
      "`RASPJournal`: an event sent to a journal of JSON, and flushed at the end",
      against: "`JSONEncoder` alone",
      .journalAppended("json", .codable, count: 50_000),
      .jsonEncoded,
      .takesAtMostNanoseconds(5_000)
    ),
    Comparison(
      "`RASPJournal`: an event sent to a journal by hand, and flushed at the end",
      against: "`JSONEncoder` alone",
      .journalAppended("by-hand", .byHand, count: 500_000),
      .jsonEncoded,
      .takesAtMostNanoseconds(500)
    ),
    Comparison(
      "`RASPJournal`: an event restored from JSON",
      against: "`JSONDecoder` alone",
      .journalRestored("json", .codable, count: 50_000),
      .jsonDecoded,
      .takesAtMostNanoseconds(5_000)
    ),
    Comparison(
      "`RASPJournal`: an event restored by hand",
      against: "`JSONDecoder` alone",
      .journalRestored("by-hand", .byHand, count: 50_000),
      .jsonDecoded,
      .takesAtMostNanoseconds(500)
    ),
    Comparison(
      "`RASPJournal`: an event of a million restored by hand, with snapshots",
      against: "`JSONDecoder` alone",
      .journalRestored("by-hand", .byHand, count: 1_000_000, hasSnapshots: true),
      .jsonDecoded,
      .takesAtMostNanoseconds(50)
    ),
    Comparison(
      "`RASPLogs`: an entry of 60 bytes appended to a `FileLog` and synced, 1,000 callers at once",
      against: "`write` and `fdatasync` for each",
      .fileLogAppended(callers: 1_000),
      .bareSynced,
      .takesAtMostNanoseconds(10_000)
    ),
    Comparison(
      "`RASPLogs`: an entry of 60 bytes read from a `FileLog`",
      against: "`read`, and an array of each",
      .fileLogReplayed,
      .bareRead,
      .takesAtMostNanoseconds(1_000)
    ),
  ]
}

extension Shape {
  /// All shapes of the table, each once, and those whose instructions are counted.
  public static var all: [Shape] {
    var names: Set<String> = []
    let compared = Comparison.all.flatMap { [$0.subject, $0.reference] }
    return (compared + sendForms).filter { names.insert($0.name).inserted }
  }

  /// Shapes that must not allocate in a steady state.
  public static let withoutAllocations: [Shape] = [
    .pipeline, .recordedPipeline, .pipelineWithEventsRecorded, .mapChain, .unchangedFields(observers: 3),
    .keyedRows(1_000), .keyedEach, .journaledPush,
  ]
}
