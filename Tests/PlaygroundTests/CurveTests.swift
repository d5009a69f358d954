import Testing

@testable import Playground

@Suite("Curves")
struct CurveTests {
  private func text(_ levels: [Double?], columns: Int = 80, top: Double? = nil) -> String {
    var curve = Curve()
    for level in levels { curve.append(level) }
    return curve.text(columns: columns, top: top)
  }

  @Test("the newest levels are drawn, one a column")
  func newest() {
    #expect(text([1, 2, 3, 4], columns: 2, top: 4) == "▇█")
    #expect(text([], columns: 2) == "" && text([1], columns: 0) == "" && text([1], columns: -1) == "")
  }

  @Test("what is not known, and what is no number, is a gap")
  func gaps() {
    #expect(text([0, nil, .nan, 1], top: 1) == "▁  █")
    #expect(text([nil, nil]) == "  ")
  }

  @Test("with a top the scale is fixed: a steady full load is full")
  func fixed() {
    #expect(text([1, 1, 1], top: 1) == "███")
    #expect(text([0, 0.5, 1, 2, -1], top: 1) == "▁▅██▁")
  }

  @Test("without a top the greatest level is full, and nothing at all is at the bottom")
  func greatest() {
    #expect(text([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
    #expect(text([0, 0]) == "▁▁" && text([-5, -5]) == "▁▁")
    #expect(text([.greatestFiniteMagnitude, 0]) == "█▁")
  }

  @Test("a long curve keeps what is newest, in bounded memory")
  func bounded() {
    #expect(text((0..<20_000).map { Double($0) }, columns: 30_000, top: 40_000).count == 512)
  }
}
