import Aggregate
import JournalTestSupport
import Testing

@testable import RASPJournal

@Suite("The name of a type in a file")
struct TypeNameTests {
  struct Inner {
    struct Event {}
  }

  @Test("JRN-51: it follows the rule in the article about the format, and has nothing that differs between processes")
  func names() {
    struct Local {
      struct Part {}
    }
    #expect(TypeName.of(Int.self) == "Int")
    #expect(TypeName.of(Inner.Event.self) == "TypeNameTests.Inner.Event")
    #expect(TypeName.of(Hidden.self) == "Hidden")
    #expect(TypeName.of(Hidden.Event.self) == "Hidden.Event")
    #expect(TypeName.of(Crate<Inner.Event>.self) == "Crate<TypeNameTests.Inner.Event>")
    #expect(TypeName.of(Crate<Int>.Part.self) == "Crate<Int>.Part")
    #expect(TypeName.of(Crate<Hidden.Event>.Pair<Int>.self) == "Crate<Hidden.Event>.Pair<Int>")
    #expect(TypeName.of([String: [Hidden]].self) == "Dictionary<String, Array<Hidden>>")
    #expect(TypeName.of([String: [Int?]].self) == "Dictionary<String, Array<Optional<Int>>>")
    #expect(TypeName.of(String.Nested.self) == "String.Nested")
    #expect(TypeName.of(Crate<String.Nested>.self) == "Crate<String.Nested>")
    #expect(TypeName.of([Int].Nested.self) == "Array<Int>.Nested")
    #expect(TypeName.of(Local.Part.self) == "TypeNameTests.Local.Part")
    #expect(TypeName.of(Crate<Local>.self) == "Crate<TypeNameTests.Local>")
    #expect(TypeName.of((Int, last: Hidden?).self) == "(Int, last: Optional<Hidden>)")
    #expect(TypeName.of(Void.self) == "()")
    #expect(TypeName.of(Several<Int, Hidden>.self) == "Several<Int, Hidden>")
    #expect(TypeName.of(Any.self) == "Any")
    #expect(TypeName.of((any Sendable).self).hasSuffix("Sendable") || TypeName.of((any Sendable).self) == "Any")
    #expect(
      TypeName.of((any Named & Error).self) == "Error & Named"
        || TypeName.of((any Named & Error).self) == "Named & Error"
    )
    #expect(!TypeName.of(((Int) -> Local).self).contains("$"))
  }

  @Test("JRN-51: files with the names of before are read, in all their versions, sealed or in a registry")
  func formerNames() throws {
    typealias Part = Crate<Int>.Part
    let former = TypeName.former(Part.self)
    #expect(former == "Crate<Int>Part" && TypeName.former(String.Nested.self).contains("extension in"))
    let now = Coding<Part>.codable(version: 2).reading(version: 1, as: Part.self) { [Part(number: -$0.number)] }
    #expect(now.kinds == [TypeVersion(name: "Crate<Int>.Part", version: 2)])
    for version in [1, 2] {
      let values = try values(of: .codable(version: version, named: former), read: now)
      #expect(values.map(\.number) == [version == 1 ? -7 : 7])
    }
    #expect(now.writes(TypeVersion(name: former, version: 2)) && !now.writes(TypeVersion(name: former, version: 1)))
    // A name that was given has no former one.
    #expect(throws: CodingError.self) {
      try values(of: .codable(version: 2, named: former), read: Coding<Part>.codable(version: 2, named: "Part"))
    }
    let registry = Coding<any AggregateEvent>.registry([Part.self])
    var decoder = ValueDecoder(registry)
    var found: [any AggregateEvent] = []
    try Array("{\"number\":7}".utf8).withUnsafeBytes { bytes in
      try decoder.decode(bytes, of: TypeVersion(name: former, version: 1)) { found.append($0) }
    }
    #expect((found.first as? Part)?.number == 7)
    #expect("\(registry.readable)" == "[\"Crate<Int>.Part, version 1\"]")
  }

  @Test("JRN-51: a snapshot with the name of before is used, and rows are those of the present version")
  func formerSnapshots() throws {
    typealias Part = Crate<Int>.Part
    let former = TypeName.former(Part.self)
    func open(_ coding: Coding<Part>, _ disk: SimulatedDisk) throws -> JournalStore<Part> {
      try JournalStore(
        JournalFolder(path: "j", system: disk),
        startingWith: Part(),
        coding: RecordingCoding(states: coding, events: .codable),
        JournalSetup(plan: StoreRun.smallPlan, clock: .numbered(disk))
      )
    }
    let disk = SimulatedDisk()
    let store = try open(.codable(version: 1, named: former), disk)
    for number in 1...7 {
      try store.append(number, cause: .unknown, time: 0)
      try store.write()
    }
    try store.close()
    store.abandon()
    let next = try open(.codable, disk)
    #expect(next.recovery.snapshot > 0 && next.recovery.ignored.isEmpty)
    #expect(next.state.number == 28)

    let rows = try RowsCoding<String, Part>(keys: .codable, states: .codable(version: 1, named: former))
      .encode([("a", Part(number: 3))])
    guard case .rows(let read) = try RowsCoding<String, Part>(keys: .codable, states: .codable).decode(rows, of: "rows")
    else {
      Issue.record("rows with the name of before are not used")
      return
    }
    #expect(read.map(\.value.number) == [3])
  }

  private func values<Value>(of old: Coding<Value>, read coding: Coding<Value>) throws -> [Value]
  where Value: ExpressibleByIntegerLiteral {
    var encoder = ValueEncoder(old)
    var decoder = ValueDecoder(coding)
    var values: [Value] = []
    let (type, bytes) = try encoder.encode(7) { ($0, Array($1)) }
    try bytes.withUnsafeBytes { bytes in try decoder.decode(bytes, of: type) { values.append($0) } }
    return values
  }
}

private struct Hidden {
  struct Event {}
}

private protocol Named {}

private struct Several<each Part> {}

struct Crate<Content: Sendable>: Sendable {
  struct Pair<Other> {}

  struct Part: AggregateState, AggregateEvent, Codable, ExpressibleByIntegerLiteral {
    var number = 0

    init(number: Int = 0) { self.number = number }
    init(integerLiteral number: Int) { self.number = number }

    mutating func apply(_ event: Int) { number += event }
  }
}

extension String {
  struct Nested {}
}

extension Array {
  struct Nested {}
}
