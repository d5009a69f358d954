import RASPSupport
import TestSupport
import Testing

@testable import RASPTesting

@Suite("Difference of two lists")
struct ListDifferenceTests {
  private func lines(_ expected: [Any], _ observed: [Any]) -> [String]? {
    describeListDifference(of: "things", expected: expected, observed: observed)?.split(separator: "\n").dropFirst()
      .map(String.init)
  }

  @Test("what is missing, what was not expected, and what agrees, in order")
  func order() {
    #expect(lines([], []) == nil)
    #expect(lines([1, "a"], [1, "a"]) == nil)
    #expect(lines([1, 2, 3], [2, 4, 3]) == ["  - 1", "    2", "  + 4", "    3"])
    #expect(lines([], [1]) == ["  + 1"])
    #expect(lines([1], []) == ["  - 1"])
  }

  private enum Kind: Equatable { case plain, carrying(Int) }
  private struct Pair { var left = 1, right: String? = "b" }
  private final class Object {}
  private struct Named: Error, CustomStringConvertible { var description: String { "named" } }

  @Test("equatable values are compared as such, objects by identity, the others by type and print")
  func sameness() {
    let object = Object()
    #expect(isSame(Kind.carrying(1), Kind.carrying(1)))
    #expect(!isSame(Kind.carrying(1), Kind.carrying(2)))
    #expect(!isSame(1, 1.0))
    #expect(isSame(Pair(), Pair()))
    #expect(!isSame(Pair(), Pair(left: 2)))
    #expect(isSame(object, object))
    #expect(!isSame(object, Object()))
    #expect(isSame((), ()))
    #expect(isSame(CancellationError(), CancellationError()))
    #expect(!isSame(CancellationError(), Named()))
  }

  private struct Reading: Equatable {
    var value = Double.nan
    var count = 0
  }

  private struct Log: Equatable {
    var readings: [Reading] = []
    var byName: [String: Double] = [:]
  }

  /// All of its content is text that reflection does not show.
  private struct Sealed: Equatable, CustomReflectable {
    let id: Int
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  @Test("what does not equal itself is compared by its text, field by field, wherever it is")
  func unequalToItself() {
    #expect(isSame(Double.nan, Double.nan) && !isSame(Double.nan, 1.0))
    #expect(isSame(Reading(), Reading()) && !isSame(Reading(), Reading(count: 1)))
    #expect(isSame([Double.nan], [Double.nan].map { $0 }) && !isSame([Double.nan, 1], [Double.nan, 2]))
    #expect(isSame(SIMD2(Double.nan, 1), SIMD2(Double.nan, 1)) && !isSame(SIMD2(Double.nan, 1), SIMD2(Double.nan, 2)))
    let names = ["a", "b", "c", "d"]
    func make(_ names: [String]) -> Log {
      Log(readings: [Reading()], byName: Dictionary(uniqueKeysWithValues: names.map { ($0, .nan) }))
    }
    let log = make(names)
    var other = make(names.reversed())
    #expect(isSame(log, other) && isSame([log], [other]))
    other.byName["a"] = 1
    #expect(!isSame(log, other))
  }

  @Test("what equals itself is compared by ==, also if no difference can be seen")
  func unseen() {
    #expect(!isSame(SIMD2(1, 2), SIMD2(1, 3)))
    #expect(!isSame(Sealed(id: 1), Sealed(id: 2)) && isSame(Sealed(id: 1), Sealed(id: 1)))
    #expect(!isSame([Sealed(id: 1)], [Sealed(id: 2)]))
    #expect(!isSame(Set([1.0]), Set([2.0])))
  }

  private final class Identified: Equatable {
    let id: Int
    init(_ id: Int) { self.id = id }
    static func == (left: Identified, right: Identified) -> Bool { left.id == right.id }
  }

  private enum Page: Equatable {
    case table([String: Double])
    case named(table: [String: Double], at: Int)
    case marked(Identified, Double)
  }

  private struct Tagged: Equatable {
    let tag: Object
    var value = Double.nan
    static func == (left: Tagged, right: Tagged) -> Bool { left.tag === right.tag }
  }

  private struct Holder { var object: Object }
  private enum Load { case members(Set<Int>, [String: Int]) }

  private let names = (0..<12).map { "name \($0)" }

  private func table<Value>(_ value: Value, isReversed: Bool) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: (isReversed ? names.reversed() : names).map { ($0, value) })
  }

  @Test("what a case carries is compared part by part: a dictionary in any order, an object by its own rule")
  func payloads() {
    let (first, second) = (table(Double.nan, isReversed: false), table(Double.nan, isReversed: true))
    #expect(isSame(Page.table(first), Page.table(second)))
    #expect(isSame(Page.named(table: first, at: 1), Page.named(table: second, at: 1)))
    #expect(!isSame(Page.named(table: first, at: 1), Page.named(table: second, at: 2)))
    #expect(isSame(Page.marked(Identified(1), .nan), Page.marked(Identified(1), .nan)))
    #expect(!isSame(Page.marked(Identified(1), .nan), Page.marked(Identified(2), .nan)))
    #expect(!isSame(Tagged(tag: Object()), Tagged(tag: Object())))
    let (members, others) = (Set(0..<40), Set((0..<40).reversed()))
    let (ones, reversed) = (table(1, isReversed: false), table(1, isReversed: true))
    #expect(isSame(Load.members(members, ones), Load.members(others, reversed)))
    #expect(!isSame(Load.members(members, [:]), Load.members([], [:])))
  }

  @Test("an object that cannot be compared agrees with itself alone, wherever it is")
  func objectsInside() {
    let object = Object()
    #expect(isSame(Object?.some(object) as Any, Object?.some(object) as Any))
    #expect(isSame(Holder(object: object), Holder(object: object)))
    #expect(isSame([object], [object]))
    #expect(!isSame(Object?.some(object) as Any, Object?.some(Object()) as Any))
    #expect(!isSame(Holder(object: object), Holder(object: Object())))
    #expect(!isSame([object], [Object()]))
  }

  @Test("a case is shown with the name of its type")
  func text() {
    #expect(brief(Kind.plain) == "Kind.plain")
    #expect(brief(Kind.carrying(2)) == "Kind.carrying(2)")
    #expect(brief(Pair()) == "Pair(left: 1, right: Optional(\"b\"))")
    #expect(brief("text") == "\"text\"")
    #expect(brief(Named()) == "named")
    #expect(brief(2) == "2")
  }
}
