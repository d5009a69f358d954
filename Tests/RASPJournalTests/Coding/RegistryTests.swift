import Aggregate
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A registry of event types")
struct RegistryTests {
  private func file(_ events: [any AggregateEvent], _ coding: Coding<any AggregateEvent>) throws -> [UInt8] {
    let entries = events.enumerated().map { Recording<Network>.Entry(number: $0 + 1, event: $1) }
    return try Recording(name: "net", initial: nil, entries: entries, state: Network())
      .bytes(coding: RecordingCoding(events: coding))
  }

  private func read(_ bytes: [UInt8], _ coding: Coding<any AggregateEvent>) throws -> [any AggregateEvent] {
    try Recording<Network>(bytes, coding: RecordingCoding(events: coding)).entries.map(\.event)
  }

  @Test("events of several types, each of which is defined once")
  func several() throws {
    let coding = Coding.registry([Opened.self, Closed.self])
    let bytes = try file([Opened(id: 1), Closed(id: 1, why: "idle"), Opened(id: 2), Closed(id: 2, why: nil)], coding)
    let events = try read(bytes, coding)
    #expect(events.compactMap { $0 as? Opened } == [Opened(id: 1), Opened(id: 2)])
    #expect(events.compactMap { $0 as? Closed } == [Closed(id: 1, why: "idle"), Closed(id: 2, why: nil)])
    #expect(events[1] is Closed)
    #expect(String(decoding: bytes, as: UTF8.self).components(of: "Opened") == 2)
  }

  @Test("a type that is not there cannot be written, and the error says what to add")
  func missing() {
    let error = #expect(throws: JournalError.self) { try file([Opened(id: 1)], .registry([Closed.self])) }
    #expect(
      error?.description
        == "a.rasp: event 1: Opened is not in the registry. Add Opened.self to `.registry([…])`. Nothing of it was written."
    )
  }

  @Test("JRN-46: two types with one name and version are neither written nor read, and the error names the remedy")
  func names() throws {
    let coding = Coding.registry([Opened.self]).adding(Coding<Closed>.codable(version: 1, named: "Opened"))
    for event in [Opened(id: 1), Closed(id: 1, why: nil)] as [any AggregateEvent] {
      #expect { try file([event], coding) } throws: { "\($0)".contains("`named:`") }
    }
    let old = try file([Opened(id: 1)], .registry([Opened.self]))
    #expect { try read(old, coding) } throws: {
      "\($0)".contains("Two types of the registry are called Opened, version 1")
    }
    // The same type once more replaces its coding.
    let again = Coding.registry([Opened.self]).adding(Coding<Opened>.codable)
    #expect(try read(file([Opened(id: 1)], again), again).count == 1)
  }

  @Test("a type with a coding of its own, and an older version of it")
  func adding() throws {
    let old = try file([Opened(id: 1), Opened(id: 2)], .registry([Opened.self]))
    let moved = Coding<Moved>(version: 2, named: "Opened") { event, bytes in
      bytes.append(event.place)
    } decode: { bytes in
      Moved(place: try bytes.readString())
    }
    .reading(version: 1, as: Opened.self) { $0.id == 1 ? [] : [Moved(place: "\($0.id)"), Moved(place: "b")] }
    let coding = Coding.registry([Closed.self]).adding(moved)
    #expect(try read(old, coding).compactMap { ($0 as? Moved)?.place } == ["2", "b"])
    let new = try file([Moved(place: "x"), Closed(id: 1, why: nil)], coding)
    #expect(try read(new, coding).compactMap { ($0 as? Moved)?.place } == ["x"])
    // The types that were there stay.
    #expect(try read(new, coding).count == 2)
  }
}

extension String {
  /// How many parts a text leaves between its occurrences.
  fileprivate func components(of part: String) -> Int {
    var count = 1
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}

private struct Opened: AggregateEvent, Codable, Equatable { var id: Int }
private struct Moved: AggregateEvent { var place: String }

private struct Closed: AggregateEvent, Codable, Equatable {
  var id: Int
  var why: String?
}

private struct Network: AggregateState, Codable {
  mutating func apply(_ event: any AggregateEvent) {}
}
