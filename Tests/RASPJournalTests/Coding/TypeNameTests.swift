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
}

private struct Hidden {
  struct Event {}
}

private protocol Named {}

private struct Several<each Part> {}

struct Crate<Content: Sendable>: Sendable {
  struct Pair<Other> {}

  struct Part {}
}

extension String {
  struct Nested {}
}

extension Array {
  struct Nested {}
}
