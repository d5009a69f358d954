extension Ratio {
  /// All rows that are ratios, each with a line of `goals.tsv`.
  public static var all: [Ratio] { streams + rows + threads + outside + files }

  private static var streams: [Ratio] {
    [
      Ratio("pipeline", .pipeline, beside: .handWrittenPipeline),
      Ratio("pipeline.openCombine", .pipeline, beside: .openCombinePipeline),
      Ratio("pipeline.asyncAlgorithms", .pipeline, beside: .asyncAlgorithmsPipeline),
      Ratio("pipeline.recorded", .recordedPipeline, beside: .pipeline),
      Ratio("reader", .reader, beside: .asyncStreamReader, by: .median),
      Ratio("large", .dictionary(entries: 100_000), beside: .dictionary(entries: 10)),
      Ratio("idle.views", .unchangedFields(observers: 1_000), beside: .unchangedFields(observers: 3)),
      Ratio("observed.fields", .observedFields(1_000), beside: .observedFields(1)),
    ]
  }

  private static var rows: [Ratio] {
    [
      Ratio("rows", .keyedUnobserved, beside: .keyedUnobservedByHand),
      Ratio("rows.observed", .keyedRows(10_000), beside: .keyedRowsByHand(10_000)),
    ]
  }

  private static var threads: [Ratio] {
    [
      // What a second sender makes of a sender's time, beside what it makes of it by hand.
      Ratio(
        "threads",
        over: [.sending(threads: 2), .sendingByHand(threads: 1)],
        under: [.sending(threads: 1), .sendingByHand(threads: 2)],
        by: .median
      ),
      Ratio("threads.reader", .sendingBesideReader(), beside: .sendingBesideReaderByHand, by: .median),
      Ratio(
        "threads.reader.each",
        .sendingBesideReader(each: .microseconds(1)),
        beside: .sending(threads: 1),
        by: .median
      ),
      Ratio("threads.backlog", .readingBacklog(.mean), beside: .readingBacklogByHand(.mean), by: .median),
      Ratio("threads.backlog.slowest", .readingBacklog(.slowest), beside: .readingBacklogByHand(.slowest), by: .median),
      Ratio("leaving", .leaving(.atRandom), beside: .leaving(.inOrder)),
    ]
  }

  private static var outside: [Ratio] {
    [
      Ratio("command", .command(besideOthers: 1), beside: .actorCall),
      Ratio("command.others", .command(besideOthers: 1_000), beside: .command(besideOthers: 1)),
      Ratio("command.task", .awaitedExecution, beside: .awaitedTask, by: .median),
      Ratio("action.others", .send(toOneOf: 64), beside: .send(toOneOf: 1)),
    ]
  }

  private static var files: [Ratio] {
    [
      Ratio("journal", .journaledPipeline, beside: .pipeline),
      Ratio("journal.json", .journalAppended, beside: .jsonEncoded),
      Ratio("log.synced", .fileLogAppended(callers: 1), beside: .bareSynced),
      Ratio("log.synced.together", .fileLogAppended(callers: 1_000), beside: .bareSynced),
    ]
  }
}
