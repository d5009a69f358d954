import Aggregate
import RASPCommands
import RASPInsight
import RASPKeyed
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

/// A word and the number of the row it goes to.
private struct Placed: Equatable, Sendable {
  let row: Int
  let word: String
}

private struct Row: AggregateState, Equatable {
  struct Refusal: Error {}

  var words: [String] = []

  mutating func apply(_ placed: Placed) throws(Refusal) {
    if placed.word == "refused" { throw Refusal() }
    words.append(placed.word)
  }
}

private struct Say: Command {
  typealias Output = String
  let word: String
}

private struct Noted: Action, Equatable {
  let word: String
}

private typealias Rows = KeyedAggregator<Int, Row>

private func makeRows(evicting eviction: RowEviction = .never, on scheduler: some Scheduler = .continuous) -> Rows {
  Rows(by: \Placed.row, initial: { _ in Row() }, options: KeyedOptions(evicting: eviction, on: scheduler))
}

extension FlightRecorder<RecordedRows<Int, Row>> {
  /// The identity of the newest event with a word.
  fileprivate func identity(_ word: String) -> Cause? {
    let recording = recording
    return recording.entries.last { $0.event.event?.word == word }.map { recording.cause(of: $0) }
  }

  fileprivate func cause(_ word: String) -> Cause? {
    recording.entries.last { $0.event.event?.word == word }?.cause
  }
}

@Suite("What recorded rows cause")
struct RowCauseTests {
  @Test("REC-11: an event of a row has a cause, and is the cause of what its row sends on")
  func sends() {
    let rows = makeRows()
    let recorder = Insight().record(rows, as: "rows")
    let (source, target) = (Traced(), Traced())
    let tokens = [
      source.aggregator.events.subscribe { rows.send(Placed(row: 3, word: $0)) },
      rows[3].select(\.words).subscribe { words in target.send("row \(words?.last ?? "none")") },
      rows.each(\.words).subscribe { _, words in target.send("each \(words.last ?? "none")") },
      rows.count { $0.words.contains("two") }.subscribe { target.send("count \($0)") },
      rows.events.subscribe { target.send("event \($0.word)") },
      rows.rejections.subscribe { target.send("rejection \($0.event.word)") },
      rows.changes.subscribe { change in
        if case .updated(_, let row) = change { target.send("change \(row.words.last ?? "none")") }
      },
    ]
    for word in ["one", "two", "refused"] { source.send(word) }
    rows.send(Placed(row: 3, word: "own"))
    for word in ["one", "two", "refused", "own"] {
      #expect(recorder.cause(word) == source.identity(word) ?? .unknown)
      #expect(target.causes["event \(word)"] == recorder.identity(word))
      if word == "refused" { continue }
      #expect(target.causes["row \(word)"] == recorder.identity(word))
      #expect(target.causes["each \(word)"] == recorder.identity(word))
    }
    #expect(target.causes["rejection refused"] == recorder.identity("refused"))
    #expect(target.causes["change two"] == recorder.identity("two"))
    #expect(target.causes["count 1"] == recorder.identity("two"))
    #expect(recorder.identity("own") != nil)
    for token in tokens { token.cancel() }
  }

  @Test("REC-11: commands, actions and tasks that a row's change starts name its event")
  func commandsAndActions() async throws {
    let rows = makeRows()
    let insight = Insight()
    let recorder = insight.record(rows, as: "rows")
    let (engine, target) = (Engine(), Traced(insight))
    let engines = insight.record(engine, as: "engine")
    try engine.use(Say.self, synchronously: { command, _ in command.word })
    let cluster = try await Bootstrap { On(Noted.self) { _, _ in } }
    let clusters = insight.record(cluster, as: "cluster")
    let token = rows[1].select(\.words).subscribe { (words: [String]?) in
      guard let word = words?.last else { return }
      engine.execute(Say(word: word))
      let cause = Cause.current
      Task {
        await cause.perform {
          target.send("task \(word)")
          try? await cluster.send(action: Noted(word: word))
        }
      }
    }
    rows.send(Placed(row: 2, word: "other"))
    rows.send(Placed(row: 1, word: "word"))
    let identity = recorder.identity("word")
    #expect(await eventually { target.causes["task word"] != nil && clusters.timeline.occurrences.count == 1 })
    #expect(identity != nil)
    #expect(engines.timeline.occurrences.first?.cause == identity)
    #expect(clusters.timeline.occurrences.first?.cause == identity)
    #expect(target.causes["task word"] == identity)
    #expect(recorder.why(event: 2).links.count == 1)
    #expect(engines.why(event: 1).links.map(\.lane) == ["engine", "rows"])
    token.cancel()
    await cluster.shutdown()
  }

  @Test("REC-11: removing, putting in and giving up a row are steps with a cause, and are causes")
  func removals() {
    let time = VirtualScheduler()
    let rows = makeRows(evicting: .beyond(2), on: time)
    let recorder = Insight(on: time).record(rows, as: "rows")
    let (source, target) = (Traced(), Traced())
    let tokens = [
      source.aggregator.events.subscribe { word in
        if word == "remove" { rows.remove(1) }
        if word == "insert" { rows.insert([1: Row(words: ["put"])]) }
      },
      rows.changes.subscribe { change in
        switch change {
        case .inserted(let key, _): target.send("inserted \(key)")
        case .removed(let key, _, let reason): target.send("\(reason) \(key)")
        case .updated: break
        }
      },
    ]
    source.send("insert")
    source.send("remove")
    for key in 2...4 { rows.send(Placed(row: key, word: "\(key)")) }

    let recording = recorder.recording
    let changes = recording.entries.map(\.event.change)
    #expect(changes.count == 6)
    #expect(changes.first == .inserted(Row(words: ["put"])))
    #expect(changes[1] == .removed(.removed) && changes.last == .removed(.beyondLimit))
    let causes = recording.entries.map(\.cause)
    #expect(causes.prefix(2) == [source.identity("insert"), source.identity("remove")].map { $0 ?? .unknown }[...])
    #expect(causes[2...4] == [.unknown, .unknown, .unknown])
    #expect(causes[5] == recorder.identity("4"), "the newcomer is why another row is given up")
    let identities = recording.entries.map { recording.cause(of: $0) }
    #expect(target.causes["inserted 1"] == identities[0])
    #expect(target.causes["removed 1"] == identities[1])
    #expect(target.causes["beyondLimit 2"] == identities[5])
    for token in tokens { token.cancel() }
  }

  @Test("REC-11: a row that is given up because it was idle has no known cause")
  func idleness() {
    let time = VirtualScheduler()
    let rows = makeRows(evicting: .idle(for: .seconds(8)), on: time)
    let recorder = Insight(on: time).record(rows, as: "rows")
    rows.send(Placed(row: 1, word: "one"))
    time.advance(by: .seconds(20))
    #expect(recorder.recording.entries.map(\.event.change).last == .removed(.idle))
    #expect(recorder.recording.entries.map(\.cause) == [.unknown, .unknown])
  }

  @Test("REC-11: what waits while a row is told takes its cause along, into the same row and into another")
  func reentrancy() {
    let rows = makeRows()
    let recorder = Insight().record(rows, as: "rows")
    let token = rows.events.subscribe { placed in
      guard placed.word == "a" else { return }
      rows.send(Placed(row: placed.row, word: "same"))
      rows.send(Placed(row: placed.row + 1, word: "next"))
      rows.remove(placed.row)
    }
    rows.send(Placed(row: 0, word: "a"))
    rows.send(Placed(row: 5, word: "later"))
    let causes = recorder.recording.entries.map(\.cause)
    let first = Cause(lane: recorder.recording.lane, number: 1)
    #expect(causes == [.unknown, first, first, first, .unknown])
    token.cancel()
  }
}
