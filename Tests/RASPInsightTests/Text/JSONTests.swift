import Foundation
import RASPInsight
import TestSupport
import Testing

@Suite("JSON")
struct JSONTests {
  @Test("members keep their order, on one line")
  func order() {
    let json = JSON.object([
      "z": .integer(-1), "a": .null, "m": .object(["x": .number(0.5)]), "e": .object([]),
    ])
    #expect(json.text == #"{"z":-1,"a":null,"m":{"x":0.5},"e":{}}"#)
  }

  @Test("strings are quoted as JSON asks for")
  func strings() {
    #expect(JSON.string("a\"b\\c\n\u{0}\u{1F}é🌊").text == #""a\"b\\c\u000a\u0000\u001fé🌊""#)
    #expect(JSON.string(nil) == .null)
  }

  @Test("a text in a script element cannot end it, nor a line")
  func scripts() {
    #expect(JSON.string("</script><!--").text == #""\u003c/script>\u003c!--""#)
    #expect(JSON.string("\u{2028}\u{2029}—").text == #""\u2028\u2029—""#)
  }

  @Test("numbers that are not finite are strings")
  func notFinite() {
    let numbers = [Double.nan, .infinity, -.infinity, -0.0, 1e300].map { JSON.number($0).text }
    #expect(numbers == [#""NaN""#, #""Infinity""#, #""-Infinity""#, "-0.0", "1e+300"])
  }

  @Test("another reader reads what was written", arguments: 0..<UInt64(rounds(100)))
  func readBack(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    let texts = SampleRuns.hostileTexts.shuffled(using: &generator)
    let json = JSON.array(texts.map { .object([JSON.Member(key: $0, value: .string($0))]) })
    let value = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [[String: String]]
    // Some readers drop the mark of the byte order.
    #expect(value?.count == texts.count)
    for (object, text) in zip(value ?? [], texts) where !text.contains("\u{FEFF}") { #expect(object[text] == text) }
  }
}
