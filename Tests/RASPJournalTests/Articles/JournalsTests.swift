import Aggregate
import Foundation
import RASPJournal
import RASPKeyed
import Streams
import TestSupport
import Testing

// The functions hold the code of the article as it stands there.

private func open(_ folder: String, _ arrivals: Observable<HarbourEvent, Never>) async throws -> Aggregator<
  HarbourState
> {
  let journal = try Journal(at: folder, startingWith: HarbourState())
  let harbour = try Aggregator(continuing: journal, sources: arrivals)
  harbour.send(.arrived(ship: "Ada"))
  try await journal.flush()  // what was folded so far is on the medium
  try await journal.close()
  return harbour
}

func openOrRepair(_ folder: String) throws -> Journal<HarbourState> {
  do {
    return try Journal(at: folder, startingWith: HarbourState())
  } catch .damaged {
    // Only if an older state is better than none.
    try Journal<HarbourState>.repair(at: folder, startingWith: HarbourState())
    return try Journal(at: folder, startingWith: HarbourState())
  }
}

private func goBack(_ journal: Journal<HarbourState>, _ noonOfToday: Date) throws -> Aggregator<HarbourState> {
  let before = try journal.state(at: .event(1_204))
  let noon = try journal.state(at: .date(noonOfToday))
  let branch = Aggregator(initial: before)
  #expect(noon.ships.isEmpty)
  return branch
}

private func list(_ journal: Journal<HarbourState>) async throws {
  for try await entry in journal.events(after: 0) {
    print(entry.number, entry.event)
  }
}

private func onlyRead(_ folder: String) throws {
  let reader = try JournalReader(at: folder, startingWith: HarbourState())
  print(reader.state)
}

private func openSecondVersion(_ folder: String) throws -> Journal<HarbourState> {
  let coding = RecordingCoding<HarbourState>(states: .codable(version: 2), events: .codable)
  let journal = try Journal(at: folder, startingWith: HarbourState(), coding: coding)
  return journal
}

private struct Mooring: Codable, Sendable {
  var berth: String
  var ship: String
}

private struct Berth: AggregateState, Codable {
  var ships: [String] = []

  mutating func apply(_ mooring: Mooring) { ships.append(mooring.ship) }
}

private func openRows(_ folder: String, _ moorings: Observable<Mooring, Never>) async throws -> [String] {
  let journal = try KeyedJournal<String, Berth>(at: folder, startingWith: RecordedRows())
  let berths = try KeyedAggregator(continuing: journal, by: \.berth, initial: { _ in Berth() }, sources: moorings)
  let ships = berths["7"].current?.ships ?? []
  try await journal.close()
  return ships
}

@Suite("The article about journals, on the disk of the machine")
struct JournalsTests {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let article = "Sources/RASPJournal/RASPJournal.docc/Journals.md"
    #expect(try ArticleBlocks.count(in: article) == 8)
    #expect(try ArticleBlocks.notCompiled(of: article, in: "Tests/RASPJournalTests/Articles") == [])
  }

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  @Test("opened, continued, opened again, and a second version of the state")
  func goesOn() async throws {
    try await inFolder { folder in
      let arrivals = Subject<HarbourEvent, Never>()
      for _ in 0..<2 {
        #expect(try await open(folder, arrivals.observable).snapshot.ships == ["Ada"])
      }
      let journal = try openSecondVersion(folder)
      #expect(journal.recovery.event == 2)
      #expect(try journal.state(at: .event(2)).ships == ["Ada"])
      try await journal.close()
      try await list(journal)
    }
  }

  @Test("rows come back")
  func rows() async throws {
    try await inFolder { folder in
      let moorings = Observable<Mooring, Never>([Mooring(berth: "7", ship: "Ada")])
      for round in 1...2 {
        let ships = try await openRows(folder, moorings)
        #expect(ships == Array(repeating: "Ada", count: round))
      }
    }
  }

  @Test("back to an event and to a date")
  func history() async throws {
    try await inFolder { folder in
      let journal = try openOrRepair(folder)
      let harbour = try Aggregator(continuing: journal)
      for number in 1...1_300 { harbour.send(.arrived(ship: "\(number)")) }
      try await journal.flush()
      let branch = try goBack(journal, Date(timeIntervalSince1970: 1))
      #expect(branch.snapshot.ships.count == 1_204)
      try await journal.close()
    }
  }

  @Test("damage: refused with the file, cut off on request, and kept")
  func damage() async throws {
    try await inFolder { folder in
      for _ in 0..<2 {
        let journal = try openOrRepair(folder)
        let harbour = try Aggregator(continuing: journal)
        for number in 1...10 { harbour.send(.arrived(ship: "\(number)")) }
        try await journal.close()
      }
      let file = "\(folder)/00000000000000000001.events"
      var bytes = try Data(contentsOf: URL(filePath: file))
      bytes[100] ^= 1
      try bytes.write(to: URL(filePath: file))
      let error = #expect(throws: JournalError.self) { try Journal(at: folder, startingWith: HarbourState()) }
      // Without links in its path.
      guard case .damaged(let found, _, _, _)? = error, found.hasSuffix(file) else {
        Issue.record("\(String(describing: error))")
        return
      }
      let journal = try openOrRepair(folder)
      #expect(journal.recovery.event == 0)
      try await journal.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.filter { $0.hasSuffix(".cut") }.count == 2)
    }
  }
}
