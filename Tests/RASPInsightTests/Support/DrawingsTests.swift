import RASPInsight
import Streams
import TestSupport
import Testing

@Suite("All drawings of a run")
struct DrawingsTests {
  private func drawings(_ timeline: Timeline) -> [String] {
    [timeline.marbles, timeline.page]
  }

  @Test("equal timelines make equal drawings", arguments: 0..<UInt64(rounds(100)))
  func determinism(seed: UInt64) {
    #expect(drawings(SampleRuns.hostile(seed: seed)) == drawings(SampleRuns.hostile(seed: seed)))
    let run = SampleRuns.receiver(count: 200, seed: seed)
    // Another value with the same parts, put together in another way.
    var copy = Timeline(lanes: [], occurrences: [])
    for occurrence in run.occurrences.reversed() { copy.occurrences.insert(occurrence, at: 0) }
    copy.lanes += run.lanes
    #expect(drawings(copy) == drawings(run))
  }

  @Test("nothing recorded, and a lane in which nothing happened")
  func empty() {
    #expect(Timeline(lanes: [], occurrences: []).marbles == "")
    let lane = Timeline.Lane(number: 1, name: "geo", kind: .aggregator, initial: [])
    #expect(Timeline(lanes: [lane], occurrences: []).marbles == "geo -\n")
    for timeline in [Timeline(lanes: [], occurrences: []), Timeline(lanes: [lane], occurrences: [])] {
      #expect(timeline.page.hasSuffix("</html>\n"))
    }
  }

  @Test("a part of the lanes")
  func lanes() {
    let run = SampleRuns.receiver(count: 300)
    let part = run.keeping(lanes: ["shop", "geo", "nothing"])
    #expect(part.lanes.map(\.name) == ["geo", "shop"])
    #expect(part.occurrences == run.occurrences.filter { $0.id.lane <= 2 })
    #expect(!run.keeping(lanes: ["geo"]).marbles.contains("app #1, not in the recording"))
    #expect(run.keeping(lanes: ["shop"]).marbles.contains("← lane 3 #1, not in the recording"))
  }

  @Test("a part of the time, whose states begin with what happened before")
  func times() throws {
    let run = SampleRuns.receiver(count: 300)
    let middle = run.occurrences[150].time
    let (before, after) = (run.keeping(times: ..<middle), run.keeping(times: middle...))
    #expect(before.occurrences + after.occurrences == run.occurrences)
    #expect(before.lanes == run.lanes)
    for lane in run.lanes {
      var fields = Dictionary(uniqueKeysWithValues: lane.initial.map { ($0.path, $0.value) })
      for change in before.occurrences.filter({ $0.id.lane == lane.number }).flatMap(\.changes) {
        fields[change.path] = change.new
      }
      let initial = try #require(after.lanes.first { $0.number == lane.number }).initial
      #expect(Dictionary(uniqueKeysWithValues: initial.map { ($0.path, $0.value) }) == fields)
    }
    for seed in 0..<20 as Range<UInt64> {
      let part = SampleRuns.hostile(seed: seed).keeping(times: ..<Duration.milliseconds(20))
      #expect(part.occurrences.allSatisfy { $0.time < .milliseconds(20) })
    }
  }
}
