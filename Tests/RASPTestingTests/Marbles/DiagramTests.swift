import RASPSupport
import Testing

@testable import RASPTesting

@Suite("Diagram")
struct DiagramTests {
  @Test("one character is one step; a group is one step; spaces are nothing")
  func reading() throws {
    #expect(try Diagram("-a").steps == [[], [.value("a")]])
    #expect(try Diagram("a|").steps == [[.value("a")], [.finished]])
    #expect(try Diagram(" a -\t^ ").steps == [[.value("a")], [], [.failed]])
    #expect(try Diagram("a;").steps == [[.value("a")], [.cancelled]])
    #expect(try Diagram("[ab|]").steps == [[.value("a"), .value("b"), .finished]])
    #expect(try Diagram("[ a b ]-").steps == [[.value("a"), .value("b")], []])
    #expect(try Diagram("[]-").steps == [[], []])
    #expect(try Diagram("é🧭1").steps == [[.value("é")], [.value("🧭")], [.value("1")]])
  }

  @Test(
    "a text that is not a diagram says why and what to write instead",
    arguments: [
      ("", "`-`"),
      ("   ", "`-`"),
      ("[a[b]]", "close the first one with `]`"),
      ("a]", "`]` without `[`; a group is written `[ab]`"),
      ("[a-b]", "write `-` outside of it"),
      ("[ab", "end it with `]`"),
      ("a|b", "nothing may follow"),
      ("a^-b", "nothing may follow"),
      (";|", "nothing may follow"),
      ("[|a]", "nothing may follow"),
    ]
  )
  func mistakes(text: String, remedy: String) {
    #expect {
      try Diagram(text)
    } throws: { error in
      "\(error)".contains(remedy) && "\(error)".hasPrefix("`\(text)`: ")
    }
  }

  @Test("time may go on after the end")
  func timeAfterTheEnd() throws {
    #expect(try Diagram("a|--").steps.count == 4)
  }

  @Test("aligned: the same step is in the same column, whatever the groups are")
  func aligned() throws {
    func aligned(_ first: String, _ second: String) throws -> [String] {
      try Diagram.aligned([Diagram(first), Diagram(second)])
    }
    #expect(try aligned("a-b|", "a-c|") == ["a-b|", "a-c|"])
    #expect(try aligned("a-b|", "[ab]-|") == ["a   -b|", "[ab]-| "])
    #expect(try aligned("[ab]-[cd|]", "--[^]") == ["[ab]-[cd|]", "-   -^    "])
    #expect(try aligned("a", "a--;") == ["a   ", "a--;"])
  }

  @Test("aligned: a value that reads as something else is set off")
  func setOff() {
    let odd = Diagram(steps: [[.value("10")], [.value("|")], [.value("-")], [.value("")], [.value("a"), .value("[")]])
    let plain = Diagram(steps: [[.value("a")], [.finished], [], [], []])
    #expect(Diagram.aligned([odd, plain]) == ["[(10)][(|)][(-)][()][a([)]", "a     |    -    -   -     "])
  }
}
