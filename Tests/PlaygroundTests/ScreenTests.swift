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

  @Test("nothing is drawn while the screen is suspended, and nothing is left if none was drawn")
  func suspended() throws {
    let file = try OutputFile()
    let screen = Screen(output: file.output)
    screen.close()
    screen.suspend()
    screen.draw(["one"])
    #expect(try file.lines() == [""])
    screen.resume()
    screen.draw(["two"])
    screen.suspend()
    #expect(try file.lines().joined().hasSuffix("\u{1B}[Htwo\u{1B}[K\u{1B}[J\u{1B}[?25h\u{1B}[?1049l"))
    screen.close()
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

  @Test("colours take no columns")
  func clipped() {
    #expect("\u{1B}[31mabcdef\u{1B}[0m".clipped(to: 3) == "\u{1B}[31mabc\u{1B}[0m")
    #expect("⠋⠋⠋".clipped(to: 3) == "⠋⠋⠋")
    #expect("abc".clipped(to: 0) == "")
  }

  @Test("wide characters take two columns, and marks none")
  func wide() {
    #expect("日本語".columns == 6 && "e\u{301}é한🙂❤️".columns == 8 && "⠋▁●⏸▶".columns == 5 && "\u{301}".columns == 0)
    #expect("日本語".clipped(to: 5) == "日本" && "日本語x".clipped(to: 3) == "日")
    #expect("日本語".padded(to: 8) == "日本語  " && "日本語".leftPadded(to: 7) == " 日本語")
    #expect("\u{1B}[31m日本\u{1B}[0m".clipped(to: 3) == "\u{1B}[31m日\u{1B}[0m")
  }

  @Test("a list is cut between its parts")
  func lists() {
    #expect("swift 50 %, clang 20 %, ld 1 %".listClipped(to: 24) == "swift 50 %, clang 20 %")
    #expect("swift 50 %, clang 20 %".listClipped(to: 22) == "swift 50 %, clang 20 %")
    #expect("swift 50 %, clang 20 %".listClipped(to: 4) == "swif")
  }
}
