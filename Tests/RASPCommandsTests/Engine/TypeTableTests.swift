import RASPSupport
import Testing

/// A type for each number in binary: as many as a test wants.
private enum Zero<Rest> {}
private enum One<Rest> {}

@Suite("The table of types")
struct TypeTableTests {
  /// The identities of so many types, each another one.
  private static func keys(_ count: Int) -> [ObjectIdentifier] {
    func type<Rest>(of number: Int, _ rest: Rest.Type) -> Any.Type {
      if number == 0 { return rest }
      return number.isMultiple(of: 2) ? type(of: number / 2, Zero<Rest>.self) : type(of: number / 2, One<Rest>.self)
    }
    return (1...count).map { ObjectIdentifier(type(of: $0, Void.self)) }
  }

  @Test("an empty table finds nothing")
  func empty() {
    let table = TypeTable<Int>()
    #expect(table[ObjectIdentifier(Int.self)] == nil)
    #expect(table.count == 0)
    #expect(table.values.isEmpty)
  }

  @Test("each key has its own value, however often the table grows")
  func grows() {
    let keys = Self.keys(1_000)
    #expect(Set(keys).count == 1_000)
    var table = TypeTable<Int>()
    for (number, key) in keys.enumerated() {
      #expect(table[key] == nil)
      #expect(table.insert(number, key) == number)
      #expect(table.count == number + 1)
    }
    for (number, key) in keys.enumerated() { #expect(table[key] == number) }
    #expect(table.values.sorted() == Array(0..<1_000))
    #expect(table[ObjectIdentifier(Int.self)] == nil)
  }

  @Test("a value that is there already stays, and the newcomer gets it")
  func insertsOnce() {
    var table = TypeTable<String>()
    let key = ObjectIdentifier(Int.self)
    #expect(table.insert("first", key) == "first")
    #expect(table.insert("second", key) == "first")
    #expect(table[key] == "first")
    #expect(table.count == 1)
  }

  @Test("a copy does not change with the original")
  func copies() {
    var table = TypeTable<Int>()
    _ = table.insert(1, ObjectIdentifier(Int.self))
    let copy = table
    _ = table.insert(2, ObjectIdentifier(String.self))
    #expect(copy[ObjectIdentifier(String.self)] == nil)
    #expect(copy.count == 1)
    #expect(table.count == 2)
  }
}
