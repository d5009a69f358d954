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
    #expect(!isSame(Double.nan, Double.nan))
    #expect(isSame(Pair(), Pair()))
    #expect(!isSame(Pair(), Pair(left: 2)))
    #expect(isSame(object, object))
    #expect(!isSame(object, Object()))
    #expect(isSame((), ()))
    #expect(isSame(CancellationError(), CancellationError()))
    #expect(!isSame(CancellationError(), Named()))
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
