import Aggregate
import Foundation
import RASPJournal
import RASPLogs
import Testing

@Suite("Forgetting a person")
struct ForgettingTests {
  private let keys = CustomerKeys()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "forgetting-\(UUID().uuidString)").path

  private func open() throws -> Journal<Shop> {
    let coding = RecordingCoding(states: Coding<Shop>.sealed(by: keys), events: Coding<ShopEvent>.sealed(by: keys))
    return try Journal(at: folder, startingWith: Shop(), coding: coding)
  }

  /// Whether a text stands in any file of the folder.
  private func contains(_ text: String) throws -> Bool {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return try files.contains { file in
      let path = "\(folder)/\(file)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
        return false
      }
      return try Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
    }
  }

  @Test("a journal and its snapshots are read without a customer whose key was deleted", arguments: [0, 25_000])
  func journal(visits: Int) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try open()
    let shop = try Aggregator(continuing: first)
    for (id, name) in [("k1", "Ada Lovelace"), ("k2", "Charles Babbage")] {
      shop.send(.registered(id: id, name: name))
      shop.send(.ordered(id: id))
    }
    // So many that a snapshot is made in between.
    for _ in 0..<visits { shop.send(.visited) }
    shop.send(.ordered(id: "k1"))
    shop.send(.ordered(id: "k2"))
    try await first.close()
    #expect(try !contains("Lovelace") && !contains("Babbage"))

    let second = try open()
    let all = try Aggregator(continuing: second).snapshot
    #expect(all == shop.snapshot)
    try await second.close()

    keys.forget("k1")
    let third = try open()
    let rest = try Aggregator(continuing: third).snapshot
    #expect(rest.visits == visits)
    #expect(rest.customers == ["k2": Customer(id: "k2", name: "Charles Babbage", orders: 2)])
    try await third.close()
  }

  @Test("a log is read without a customer whose key was deleted")
  func log() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let events: [ShopEvent] = [
      .registered(id: "k1", name: "Ada Lovelace"), .visited, .registered(id: "k2", name: "Charles Babbage"),
    ]
    let log = try FileLog(at: folder, coding: Coding<ShopEvent>.sealed(by: keys))
    try await log.append(events, to: 0)
    #expect(try !contains("Lovelace"))
    keys.forget("k1")

    var found: [ShopEvent] = []
    for try await batch in log.entries(of: 0, after: 0) {
      found += batch.entries.map(\.entry)
      if found.count == 3 { break }
    }
    #expect(found == [.forgotten, .visited, .registered(id: "k2", name: "Charles Babbage")])
    try await log.close()
  }

  @Test("a key that opens nothing is an error, and no customer who was forgotten")
  func wrongKey() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try open()
    let shop = try Aggregator(continuing: first)
    shop.send(.registered(id: "k1", name: "Ada Lovelace"))
    try await first.close()
    keys.forget("k1")
    _ = try keys.seal([1], of: "k1")
    #expect(throws: JournalError.self) { try open() }
  }
}
