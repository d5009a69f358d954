import Testing

@testable import RASPInsight

@Suite("Texts on one line")
struct OneLineTests {
  @Test("what breaks a line or turns the direction is an escape; letters of all languages stay")
  func escapes() {
    #expect("a\nb\tc\rd".oneLine == #"a\nb\tc\rd"#)
    #expect("\u{202E}x\u{0}\u{2028}".oneLine == #"\u{202E}x\u{0}\u{2028}"#)
    #expect("שלום 日本語 👩‍👩‍👧 é".oneLine == "שלום 日本語 👩‍👩‍👧 é")
    for text in SampleRuns.hostileTexts { #expect(text.oneLine.allSatisfy { !$0.isNewline }) }
  }

  @Test(
    "cut to columns: never wider, and as it is if it fits",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本", 2, "…"), ("ab", 0, ""),
    ]
  )
  func cutting(text: String, width: Int, result: String) {
    #expect(text.cut(to: width) == result)
    #expect(text.fitted(to: width).columns == width)
  }

  @Test(
    "clipped to characters",
    arguments: [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("", 1, ""), ("ab", 1, "…"), ("a", 0, "")]
  )
  func clipping(text: String, length: Int, result: String) {
    #expect(text.clipped(to: length) == result)
  }

  @Test(
    "times are in the form that all times of a run need",
    arguments: [
      ([0, 1_500_000_000], "0:01.500"), ([5_000_000, 65_005_000_000], "1:05.000"), ([0, 1_500_001_000], "0:01.500001"),
      ([0, 3_600_000_000_000], "1:00:00.000"), ([.min, .max], "2562047:47:16.854775"),
    ]
  )
  func clock(times: [Int64], last: String) {
    #expect(ClockText(times).text(times[1]) == last)
  }

  @Test("lengths of time have the unit that suits them")
  func lengths() {
    let texts = [0, 999, 1_500, 17_000_000, 123_456_000, 2_340_000_000].map(ClockText.length)
    #expect(texts == ["0 ns", "999 ns", "1.5 µs", "17 ms", "123 ms", "2.3 s"])
  }
}
