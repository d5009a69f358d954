import RASPInsight
import Testing

@testable import Playground

@Suite("Numbers as they are shown")
struct NumbersTests {
  @Test("numbers are rounded, and what JSON cannot say is null")
  func numbers() {
    #expect(JSON.number(231.10000000000002, decimals: 2).text == "231.1")
    #expect(JSON.number(52.850156666666666, decimals: 7).text == "52.8501567")
    #expect(JSON.number(-0.0001, decimals: 2).text == "0.0")
    for value in [Double.nan, .infinity, -.infinity, nil] {
      #expect(JSON.number(value, decimals: 2) == .null)
    }
    #expect(JSON.number(.greatestFiniteMagnitude, decimals: 7).text == "1.7976931348623157e+308")
  }

  @Test(
    "numbers for people have a fixed count of decimals",
    arguments: [(5.3, 2, "5.30"), (-0.05, 1, "-0.1"), (-0.01, 1, "0.0"), (12, 0, "12"), (0.005, 3, "0.005")]
  )
  func formatted(value: Double, decimals: Int, text: String) {
    #expect(value.formatted(decimals: decimals) == text)
  }

  @Test("numbers too large for decimals do no harm", arguments: [1e15, -1e300, .infinity, .nan])
  func formattedExtremes(value: Double) {
    #expect(value.formatted(decimals: 2) == String(describing: value))
  }
}
