import Testing

@testable import Playground

@Suite("Histories and graphs")
struct GraphTests {
  private func text(_ levels: [Double?], _ scale: Scale = .amount) -> String {
    Graph(levels, scale: scale).text()
  }

  /// The levels of a field that had these from these seconds on, one a second.
  private func columns(_ samples: [(Double, Double?)], _ count: Int, until end: Double, _ scale: Scale = .amount)
    -> [Double?]
  {
    var history = History(scale: scale)
    for (seconds, level) in samples { history.append(level, at: .seconds(seconds)) }
    return history.columns(count, of: .seconds(1), until: .seconds(end))
  }

  @Test("a column is a time, not a change: what holds on is drawn on")
  func byTime() {
    #expect(columns([(1, 5), (3, 7)], 6, until: 5) == [nil, 5, 5, 7, 7, 7])
    #expect(columns([(1, 5), (1.2, 6), (1.4, 7)], 3, until: 3) == [5, 7, 7])
    #expect(columns([], 2, until: 3) == [nil, nil])
    #expect(columns([(1, 5)], 0, until: 3) == [])
    #expect(columns([(1, 5)], -1, until: 3) == [])
  }

  @Test("a column of the past is the same as it was then")
  func past() {
    let samples: [(Double, Double?)] = [(1, 1), (2, 2), (3, 3)]
    #expect(columns(samples, 2, until: 2) == [1, 2])
  }

  @Test("what is not known, and what is no number, is a gap")
  func gaps() {
    #expect(columns([(1, 5), (2, nil), (3, .nan), (4, 6)], 4, until: 4) == [5, nil, nil, 6])
    #expect(text([0, nil, 1], .fraction) == "▁ █")
    #expect(text([nil, nil]) == "  ")
    #expect(text([]) == "")
  }

  @Test("an angle that passes north goes on")
  func unrolled() {
    #expect(columns([(1, 350), (2, 10), (3, 350), (4, 180)], 4, until: 4, .angle) == [350, 370, 350, 180])
    #expect(columns([(1, 10), (2, nil), (3, 350)], 3, until: 3, .angle) == [10, nil, -10])
  }

  @Test("a fraction has a fixed scale: a steady full load is full")
  func fraction() {
    #expect(text([1, 1, 1], .fraction) == "███")
    #expect(text([0, 0.5, 1, 2, -1], .fraction) == "▁▅██▁")
  }

  @Test(
    "an amount is drawn between about its least and its greatest, and one that is far off does not flatten the rest"
  )
  func amount() {
    #expect(text([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
    let levels = (0..<40).map { Double($0 % 8) } + [1_000_000]
    #expect(text(levels).hasPrefix("▁▂▃▄▅▆▇█"))
  }

  @Test("what does not change is a line in the middle, and nothing at all is one at the bottom")
  func constant() {
    #expect(text([5, 5, 5]) == "▅▅▅")
    #expect(text([0, 0]) == "▁▁")
    #expect(text([0.1, 0.1]) == "▁▁")
    #expect(text([-5, -5]) == "▅▅")
  }

  @Test("the greatest numbers there are do no harm")
  func extremes() {
    #expect(text([-.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == "▁█")
    #expect(text([0, .leastNonzeroMagnitude]).count == 2)
    #expect(text([.greatestFiniteMagnitude]).count == 1)
  }

  @Test("high bars are coloured if colours are wanted, and the colour ends with the graph")
  func colours() {
    let graph = Graph([0.1, 0.7, 0.9, nil], scale: .fraction)
    #expect(graph.text(colours: true) == "\u{1B}[32m▁\u{1B}[33m▆\u{1B}[31m█\u{1B}[0m ")
    #expect(!graph.text().contains("\u{1B}"))
    #expect(Graph([0.9], scale: .fraction).text(colours: true).hasSuffix("\u{1B}[0m"))
  }

  @Test("a long history keeps what is newest")
  func bounded() {
    var history = History(scale: .amount)
    for second in 0..<20_000 { history.append(Double(second), at: .seconds(second)) }
    #expect(history.columns(3, of: .seconds(1), until: .seconds(19_999)) == [19_997, 19_998, 19_999])
  }
}
