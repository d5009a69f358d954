import Aggregate
import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("The history in a journal that deletes events")
struct DeletedHistoryTests {
  @Test("a segment that is deleted while it is read: the error names the next event and where the folder begins")
  func deletedMeanwhile() throws {
    let disk = SimulatedDisk()
    let folder = JournalFolder(path: "j", system: disk)
    var plan = StoreRun.smallPlan
    plan.smallSegmentSize = 0
    let store = try StoreRun([], plan: plan).open(on: disk)
    for number in 1...12 {
      try store.append(StoreRun.event(number), cause: .unknown, time: 0)
      try store.write()
    }
    let listing = try folder.listing()
    try #require(listing.segments == [1, 4, 7, 10])
    var cursor = try EventCursor<TotalEvent>(at: 1, listing: listing, coding: .byHand, in: folder)
    for event in [1, 4, 7] { try disk.remove(folder.segment(from: event)) }
    // The file is open, so it is read to its end.
    var numbers: [Int] = []
    let errors = [
      #expect(throws: JournalError.self) {
        while try cursor.readBatch(upTo: 12, { numbers.append($0.number) }) {}
      },
      #expect(throws: JournalError.self) {
        _ = try EventCursor<TotalEvent>(at: 4, listing: listing, coding: .byHand, in: folder)
      },
    ]
    #expect(numbers == [1, 2, 3])
    for error in errors {
      guard case .missing("j", 4, "the folder begins with event 10")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("before the first event is the initial state, also if that event is gone; another place names what is there")
  func placesThatAreGone() async throws {
    let journal = try Journal(on: SimulatedDisk()) { $0.retention = .sinceSnapshots }
    let aggregator = try Aggregator(continuing: journal)
    for first in stride(from: 1, to: 100, by: 10) {
      aggregator.send(first...first + 9)
      try await journal.flush()
    }
    #expect(try journal.state(at: .event(0)) == Total())
    let error = #expect(throws: JournalError.self) { try journal.state(at: .event(42)) }
    #expect(
      error?.description == """
        j: event 1 is needed, and the folder begins with event 81, and has no snapshot before event 42. The oldest state \
        that is there is that after event 90.
        """
    )
    try await journal.close()
  }

  @Test("retention: what is before the older snapshot is gone, and asking for it says so")
  func retention() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk) { $0.retention = .sinceSnapshots }
    let aggregator = try Aggregator(continuing: journal)
    for first in stride(from: 1, to: 100, by: 10) {
      aggregator.send(first...first + 9)
      try await journal.flush()
    }
    let error = #expect(throws: JournalError.self) { try journal.state(at: .event(3)) }
    guard case .missing? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try journal.state(at: .event(100)) == StoreRun.state(after: 100))
    let listing = FolderListing(disk.contents.keys.map { String($0.dropFirst(2)) })
    #expect(listing.snapshots.count == 2)
    #expect(listing.segments.count <= 3)
    try await journal.close()
  }
}
