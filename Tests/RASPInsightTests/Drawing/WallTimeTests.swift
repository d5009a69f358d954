import Foundation
import RASPSupport
import Streams
import TestSupport
import Testing

@testable import RASPInsight

@Suite("The wall time of a run")
struct WallTimeTests {
  private static let lane = Timeline.Lane(number: 1, name: "geo", kind: .aggregator, initial: [])

  private func run(at origin: Duration?) -> Timeline {
    Timeline(
      lanes: [Self.lane],
      occurrences: [Timeline.Occurrence(id: Cause(lane: 1, number: 1), time: .milliseconds(1_120), label: "a")],
      clockOrigin: origin
    )
  }

  @Test("REC-13: every drawing says when the run began, if that is known")
  func drawings() {
    let text = "2026-11-22 14:03:07.120 UTC"
    let known = run(at: .seconds(1_795_356_186))
    for drawing in [known.marbles, known.page] { #expect(drawing.contains(text)) }
    #expect(known.marbles.hasPrefix("0:00.000 is \(text)\n\n"))
    #expect(known.keeping(lanes: ["geo"]).marbles == known.marbles)
    #expect(known.keeping(times: .zero...).marbles == known.marbles)
    let unknown = run(at: nil)
    for drawing in [unknown.marbles, unknown.page] { #expect(!drawing.contains(" UTC")) }
  }

  @Test("REC-13: dates are right, also before 1970, in leap years and at the ends of what can be counted")
  func dates() {
    let format = Date.ISO8601FormatStyle(
      dateSeparator: .dash,
      dateTimeSeparator: .space,
      timeSeparator: .colon,
      timeZone: .gmt
    )
    var generator = SplitMix(seed: 13)
    var seconds: [Int64] = [0, -1, 951_782_400, 951_868_800, 4_107_542_399, -2_203_891_200, 1_709_164_800]
    for _ in 0..<rounds(2_000) { seconds.append(Int64.random(in: -9_000_000_000...9_000_000_000, using: &generator)) }
    for second in seconds {
      let expected = Date(timeIntervalSince1970: Double(second)).formatted(format).replacing("Z", with: "")
      #expect(wallText(second * 1_000_000_000, 3) == "\(expected).000 UTC")
    }
    #expect(wallText(-1_000, 6) == "1969-12-31 23:59:59.999999 UTC")
    #expect(wallText(.max, 3) == "2262-04-11 23:47:16.854 UTC")
    #expect(wallText(.min, 3) == "1677-09-21 00:12:43.145 UTC")
  }
}
