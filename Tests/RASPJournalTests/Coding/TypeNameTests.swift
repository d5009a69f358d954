import Testing

@testable import RASPJournal

@Suite("The name of a type in a file")
struct TypeNameTests {
  struct Inner {
    struct Event {}
  }

  @Test("has neither the module nor what differs from process to process")
  func names() {
    struct Local {}
    #expect(TypeName.of(Int.self) == "Int")
    #expect(TypeName.of(Inner.Event.self) == "TypeNameTests.Inner.Event")
    #expect(TypeName.of(Hidden.self) == "Hidden")
    #expect(TypeName.of(Hidden.Event.self) == "Hidden.Event")
    #expect(TypeName.of(Box<Inner.Event>.self) == "Box<TypeNameTests.Inner.Event>")
    #expect(TypeName.of([String: [Hidden]].self) == "Dictionary<String, Array<Hidden>>")
    #expect(TypeName.of(Local.self).hasSuffix("Local"))
    #expect(!TypeName.of(Local.self).contains("$"))
    #expect(TypeName.of(Box<Local>.self).hasPrefix("Box<"))
    #expect((TypeName.of((any Sendable).self)).hasSuffix("Sendable") || TypeName.of((any Sendable).self) == "Any")
  }
}

private struct Hidden {
  struct Event {}
}

private struct Box<Content> {}
