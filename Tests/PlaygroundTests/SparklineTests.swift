import Testing

@testable import Playground

@Suite("Sparklines and the dashboard")
struct SparklineTests {
  private func text(_ levels: [Double?], width: Int = 8) -> String {
    levels.reduce(into: Sparkline(width: width)) { $0.append($1) }.text
  }

  @Test("the least value is the lowest bar and the greatest the highest")
  func scale() {
    #expect(text([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
    #expect(text([10, -10]) == "█▁")
  }

  @Test("values that are all alike make a low line")
  func constant() {
    #expect(text([5, 5, 5]) == "▁▁▁")
  }

  @Test("only the last values are kept")
  func window() {
    #expect(text([100, 1, 2, 1], width: 3) == "▁█▁")
    #expect(text([1, 2], width: 0) == "")
    #expect(text([1, 2], width: -1) == "")
  }

  @Test("an unknown value leaves a gap, and so does what is no number")
  func gaps() {
    #expect(text([1, nil, 2, .nan, .infinity]) == "▁ █  ")
    #expect(text([nil, nil]) == "  ")
    #expect(text([]) == "")
  }

  @Test("the greatest numbers there are do no harm")
  func extremes() {
    #expect(text([-.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == "▁█")
    #expect(text([0, .leastNonzeroMagnitude]).count == 2)
  }

  @Test("the dashboard shows every field, known or not, and ignores others")
  func dashboard() {
    var dashboard = Dashboard(title: "Title", fields: ["depth", "speed"], sparklineWidth: 4)
    dashboard.show(.depth(5))
    dashboard.show(.depth(6))
    dashboard.show(.course(1))
    let lines = dashboard.lines(width: 80)
    #expect(lines.count == 4)
    #expect(lines[0] == "Title")
    #expect(lines[2].contains("depth") && lines[2].contains("6.0 m") && lines[2].hasSuffix("▁█"))
    #expect(lines[3].contains("speed") && lines[3].contains("–"))
  }

  @Test("no line is wider than the terminal", arguments: [0, 1, 20, 80])
  func width(_ width: Int) {
    let dashboard = Dashboard(title: "A title of some length", fields: ["depth"])
    #expect(dashboard.lines(width: width).allSatisfy { $0.count <= width })
  }
}
