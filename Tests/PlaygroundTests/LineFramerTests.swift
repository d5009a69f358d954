import Testing

@testable import Playground

@Suite("Cutting bytes into lines")
struct LineFramerTests {
  @Test("CR, LF and CRLF end a line, and the last line needs no end")
  func lineEnds() {
    let expected = ["a", "b", "c", "d"].map { Array($0.utf8) }
    #expect(lines(in: Array("a\rb\nc\r\nd".utf8)) == expected)
    #expect(lines(in: Array("\n\r\na\r\r\n\nb\nc\n\rd\r\n".utf8)) == expected)
  }

  @Test("nothing is made of nothing")
  func empty() {
    #expect(lines(in: []).isEmpty)
    #expect(lines(in: Array("\r\n\n\r".utf8)).isEmpty)
  }

  @Test("a line of any bytes is kept as it is")
  func anyBytes() {
    #expect(lines(in: [0, 255, 10, 128]) == [[0, 255], [128]])
  }

  @Test("a line at the limit is kept, and of one beyond it one byte more")
  func limit() {
    let longest = [UInt8](repeating: 65, count: LineFramer.longestLine)
    #expect(lines(in: longest) == [longest])
    #expect(lines(in: longest + [66, 67]) == [longest + [66]])
  }

  @Test("after a megabyte without a line end the next line is read")
  func noise() {
    let noise = [UInt8](repeating: 37, count: 1 << 20)
    let kept = Array(noise.prefix(LineFramer.longestLine + 1))
    #expect(lines(in: noise + Array("\nok\n".utf8)) == [kept, Array("ok".utf8)])
  }

  @Test("a $ begins a line wherever it stands, but not in a comment")
  func resynchronising() {
    func pieces(_ text: String) -> [String] {
      lines(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(pieces("x$A*00\n") == ["x", "$A*00"])
    #expect(pieces("$$A*00\n$B*00") == ["$", "$A*00", "$B*00"])
    #expect(pieces("$GPGGA,12$GPRMC*00$\n") == ["$GPGGA,12", "$GPRMC*00", "$"])
    #expect(pieces("# costs $5\n$A") == ["# costs $5", "$A"])
    #expect(pieces("#$A*00\n") == ["#", "$A*00"])
    #expect(pieces("#\n$A\n##$B") == ["#", "$A", "##$B"])
  }

  @Test("a sentence behind noise of any length is found")
  func behindNoise() {
    let noise = [UInt8](repeating: 0, count: 5_000)
    #expect(lines(in: noise + Array("$A\n".utf8)).last == Array("$A".utf8))
  }
}
