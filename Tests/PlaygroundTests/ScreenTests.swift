import Testing

@testable import Playground

@Suite("The screen")
struct ScreenTests {
  @Test("pictures are drawn over one another on a screen of their own, which is left at the end")
  func pictures() throws {
    let file = try OutputFile()
    let screen = Screen(output: file.output)
    screen.draw(["one", "two"])
    screen.draw(["three"])
    screen.close()
    screen.close()
    #expect(
      try file.text()
        == "\u{1B}[?1049h\u{1B}[?25l\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J"
        + "\u{1B}[Hthree\u{1B}[K\u{1B}[J\u{1B}[?25h\u{1B}[?1049l"
    )
  }

  @Test("nothing is left of a screen on which nothing was drawn")
  func nothingDrawn() throws {
    let file = try OutputFile()
    Screen(output: file.output).close()
    #expect(try file.text() == "")
  }

  @Test("lines beyond the terminal are cut off, so that it does not scroll")
  func tooMany() throws {
    let file = try OutputFile()
    let screen = Screen(output: file.output)
    screen.draw((1...100).map { "line \($0) " + String(repeating: "x", count: 200) })
    screen.close()
    let lines = try file.text().split(separator: "\r\n")
    #expect(lines.count == 24)
    #expect(lines.dropFirst().allSatisfy { $0.count <= 110 })
  }
}
