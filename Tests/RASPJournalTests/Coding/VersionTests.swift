import Aggregate
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Versions of a type")
struct VersionTests {
  /// A file with the events 5, 6 and 7 in an older version.
  private func oldFile() throws -> [UInt8] {
    let entries = [OldReading(celsius: 1), OldReading(celsius: 20), OldReading(celsius: 300)].enumerated().map {
      Recording<OldStove>.Entry(number: 5 + $0, event: $1, cause: Cause(lane: 2, number: $0), time: .seconds($0))
    }
    let recording = Recording(
      name: "stove",
      lane: 1,
      initial: OldStove(),
      entries: entries,
      state: OldStove(celsius: 300)
    )
    let coding = RecordingCoding<OldStove>(
      states: .codable(version: 1, named: "Stove"),
      events: .codable(version: 2, named: "Reading")
    )
    return try recording.bytes(coding: coding)
  }

  private let states = Coding<Stove>.codable(version: 4).reading(version: 1, as: OldStove.self) { old in
    [Stove(kelvin: old.celsius + 273)]
  }

  @Test("FILE-05: an event becomes none, one or several, which have its number, its cause and its time")
  func conversion() throws {
    let events = Coding<Reading>.codable(version: 3).reading(version: 2, as: OldReading.self) { old in
      // 1, 20 and 300 become none, one and two.
      Array(repeating: Reading(kelvin: old.celsius + 273), count: String(old.celsius).count - 1)
    }
    let recording = try Recording<Stove>(oldFile(), coding: RecordingCoding(states: states, events: events))
    #expect(recording.entries.map(\.number) == [6, 7, 7])
    #expect(recording.entries.map(\.event.kelvin) == [293, 573, 573])
    #expect(recording.entries.map(\.cause.number) == [1, 2, 2])
    #expect(recording.entries.map(\.time) == [.seconds(1), .seconds(2), .seconds(2)])
    #expect(recording.initial == Stove(kelvin: 273))
    #expect(recording.state == Stove(kelvin: 573))

    // Written again, the numbers stay.
    let coding = RecordingCoding<Stove>(states: states, events: events)
    let again = try Recording<Stove>(recording.bytes(coding: coding), coding: coding)
    #expect(Content(again) == Content(recording))
  }

  @Test("a coding by hand can be the older one")
  func byHand() throws {
    let old = Coding<Int>(version: 1) {
      $1.append($0)
    } decode: {
      try $0.read(Int.self)
    }
    let new = Coding<String>.codable(version: 2, named: "Int").reading(version: 1, with: old) { [String($0)] }
    let recording = Recording<Numbers>(name: "", initial: nil, entries: [.init(number: 1, event: 7)], state: Numbers())
    let bytes = try recording.bytes(coding: RecordingCoding(states: .codable, events: old))
    let states = Coding<Texts>.codable(version: 1, named: "Numbers")
    let read = try Recording<Texts>(bytes, coding: RecordingCoding(states: states, events: new))
    #expect(read.entries.map(\.event) == ["7"])
  }

  @Test("FILE-05: a version that is not read is refused with its name and the remedy")
  func unknown() throws {
    let coding = RecordingCoding<Stove>(states: states, events: .codable(version: 3))
    let bytes = try oldFile()
    let error = #expect(throws: JournalError.self) { try Recording<Stove>(bytes, coding: coding) }
    guard case .unreadable("a.rasp", let offset, 5, _)? = error else {
      Issue.record("another error")
      return
    }
    #expect(bytes[offset...].starts(with: Array("{\"celsius\":1}".utf8)))
    #expect(
      error?.description
        == """
        a.rasp: event 5 at offset \(offset): Reading, version 2, is a kind that the coding does not read. It reads \
        Reading, version 3. Add `.reading(version: 2, as: …)`, or give the coding the name "Reading" if the type was renamed.
        """
    )
  }

  @Test("a key that is missing is named, and so is the place of a value of another type")
  func keys() throws {
    let events = Coding<Reading>.codable(version: 2)
    let bytes = try oldFile()
    let error = #expect(throws: JournalError.self) {
      try Recording<Stove>(bytes, coding: RecordingCoding(states: states, events: events))
    }
    #expect(error?.description.contains("Reading, version 2: there is no key \"kelvin\"") == true)
  }

  @Test("a state must become one state")
  func statesBecomeStates() throws {
    let states = Coding<Stove>.codable(version: 4).reading(version: 1, as: OldStove.self) { _ in [] }
    let bytes = try oldFile()
    let error = #expect(throws: JournalError.self) {
      try Recording<Stove>(bytes, coding: RecordingCoding(states: states))
    }
    #expect(error?.description.contains("the conversion gave 0 states") == true)
  }

  @Test("a coding that throws, and one that does not read all, are errors of the event")
  func closures() throws {
    let bytes = try Recording<Total>.small.bytes(coding: .byHand)
    let throwing = Coding<TotalEvent>(version: 1, encode: { _, _ in }, decode: { _ in throw TestError(code: 3) })
    let lazy = Coding<TotalEvent>(version: 1, encode: { _, _ in }, decode: { _ in .add(0) })
    let first = #expect(throws: JournalError.self) {
      try Recording<Total>(bytes, coding: RecordingCoding(states: .byHand, events: throwing))
    }
    #expect(first?.description.contains("event 1 at offset") == true)
    #expect(first?.description.contains("TestError(code: 3)") == true)
    let second = #expect(throws: JournalError.self) {
      try Recording<Total>(bytes, coding: RecordingCoding(states: .byHand, events: lazy))
    }
    #expect(second?.description.contains("9 bytes are left") == true)
  }
}

private struct OldReading: Codable, Hashable, Sendable { var celsius: Int }
private struct Reading: Codable, Hashable, Sendable { var kelvin: Int }

private struct OldStove: AggregateState, Codable, Equatable {
  var celsius = 0
  mutating func apply(_ event: OldReading) { celsius = event.celsius }
}

private struct Stove: AggregateState, Codable, Equatable {
  var kelvin = 0
  mutating func apply(_ event: Reading) { kelvin = event.kelvin }
}

private struct Numbers: AggregateState, Codable {
  mutating func apply(_ event: Int) {}
}

private struct Texts: AggregateState, Codable {
  mutating func apply(_ event: String) {}
}
