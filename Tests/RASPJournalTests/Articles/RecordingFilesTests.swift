import Aggregate
import Foundation
import RASPJournal
import Streams
import TestSupport
import Testing

// The functions hold the code of the articles as it stands there.

private func copy(_ recording: Recording<HarbourState>, at path: String) throws -> Recording<HarbourState> {
  try recording.write(to: path)
  let incident = try Recording<HarbourState>(contentsOf: path)
  return incident
}

private func publish(_ recording: Recording<HarbourState>, at path: String) throws {
  let withoutPosition = Redaction<HarbourState> { state in
    var state = state
    state.latitude = nil
    return state
  } event: { event in
    guard case .position = event else { return event }
    return .position(latitude: 0, longitude: 0)
  }
  try recording.write(to: path, redacting: withoutPosition)
}

private func versions() -> RecordingCoding<HarbourState> {
  let events = Coding<HarbourEvent>.codable(version: 2)
    .reading(version: 1, as: OldHarbourEvent.self) { old in
      switch old {
      case .moved(let ship, let isIn): [isIn ? .arrived(ship: ship) : .left(ship: ship)]
      case .flagRaised: []  // nothing depends on it any more
      }
    }
  let coding = RecordingCoding<HarbourState>(events: events)
  return coding
}

private func registry() -> Coding<any AggregateEvent> {
  let network = Coding.registry([LinkOpened.self, LinkClosed.self])
    .adding(Coding<LinkMoved>.codable(version: 2))
  return network
}

private func byHand() -> Coding<Tick> {
  let ticks = Coding<Tick>(version: 1) { tick, bytes in
    bytes.append(tick.price)
    bytes.appendVarint(UInt64(tick.volume))
  } decode: { bytes in
    Tick(price: try bytes.read(Double.self), volume: UInt32(truncatingIfNeeded: try bytes.readVarint()))
  }
  return ticks
}

@Suite("The article about recordings in files")
struct RecordingFilesTests {
  @Test("every Swift block of the articles is compiled, one of them by the target that has a cipher")
  func blocksAreCompiled() throws {
    let folder = "Sources/RASPJournal/RASPJournal.docc"
    #expect(try ArticleBlocks.count(in: "\(folder)/RecordingFiles.md") == 6)
    for article in ["RecordingFiles.md", "RASPJournal.md"] {
      #expect(try ArticleBlocks.notCompiled(of: "\(folder)/\(article)", in: "Tests/RASPJournalTests/Articles") == [])
    }
    let forgetting = "\(folder)/ForgettingAPerson.md"
    #expect(try ArticleBlocks.notCompiled(of: forgetting, in: "JetStream/Tests/ForgettingTests") == [])
  }

  private func recording() -> Recording<HarbourState> {
    let events: [HarbourEvent] = [.arrived(ship: "Ada"), .position(latitude: 53.5, longitude: 9.9), .left(ship: "Ada")]
    let entries = events.enumerated().map { Recording<HarbourState>.Entry(number: 1 + $0, event: $1) }
    return Recording(name: "harbour", initial: HarbourState(), entries: entries, state: HarbourState(latitude: 53.5))
  }

  /// The path of a file that is removed afterwards.
  private func withPath(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).rasp").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test("a copy, and a public one without the position")
  func files() throws {
    try withPath { path in
      #expect(try copy(recording(), at: path).state == HarbourState(latitude: 53.5))
      try publish(recording(), at: path)
      let read = try Recording<HarbourState>(contentsOf: path)
      #expect(read.state == HarbourState())
      guard case .position(0, 0)? = read[2]?.event else {
        Issue.record("the position is in the file")
        return
      }
    }
  }

  @Test("the old version of the article")
  func oldVersion() throws {
    try withPath { path in
      let events: [OldHarbourEvent] = [.flagRaised, .moved(ship: "Ada", isIn: true), .moved(ship: "Ada", isIn: false)]
      let entries = events.enumerated().map { Recording<OldHarbourState>.Entry(number: 1 + $0, event: $1) }
      let old = Recording(name: "old", initial: nil, entries: entries, state: OldHarbourState())
      try old.write(
        to: path,
        coding: RecordingCoding(
          states: .codable(version: 1, named: "HarbourState"),
          events: .codable(version: 1, named: "HarbourEvent")
        )
      )
      let read = try Recording(contentsOf: path, coding: versions())
      #expect(read.entries.map(\.number) == [2, 3])
      guard case .left(ship: "Ada")? = read.entries.last?.event else {
        Issue.record("another event")
        return
      }
    }
  }

  @Test("the registry and the bytes by hand of the article")
  func others() throws {
    try withPath { path in
      let events: [any AggregateEvent] = [LinkOpened(), LinkMoved(), LinkClosed()]
      let links = Recording<LinkState>(
        name: "links",
        initial: nil,
        entries: events.enumerated().map { .init(number: 1 + $0, event: $1) },
        state: LinkState(events: 3)
      )
      try links.write(to: path, coding: RecordingCoding(events: registry()))
      let read = try Recording<LinkState>(contentsOf: path, coding: RecordingCoding(events: registry()))
      #expect(read.entries.map { "\(type(of: $0.event))" } == ["LinkOpened", "LinkMoved", "LinkClosed"])

      let tick = Tick(price: 0.1, volume: .max)
      let ticks = Recording<TickState>(
        name: "ticks",
        initial: nil,
        entries: [.init(number: 1, event: tick)],
        state: TickState(last: 0.1)
      )
      try ticks.write(to: path, coding: RecordingCoding(events: byHand()))
      let readTicks = try Recording<TickState>(contentsOf: path, coding: RecordingCoding(events: byHand()))
      #expect(readTicks.entries.map(\.event) == [tick])
      #expect(readTicks.state == ticks.state)
    }
  }
}
