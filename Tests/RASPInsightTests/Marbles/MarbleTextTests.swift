import Streams
import TestSupport
import Testing

@testable import RASPInsight

@Suite("A run as marbles in text")
struct MarbleTextTests {
  @Test("lanes with marbles, and a legend")
  func small() {
    func lane(_ number: Int, _ name: String, _ kind: Timeline.Kind) -> Timeline.Lane {
      Timeline.Lane(number: number, name: name, kind: kind, initial: [])
    }
    let run = Timeline(
      lanes: [lane(1, "geo", .aggregator), lane(2, "shop", .engine)],
      occurrences: [
        .init(id: Cause(lane: 1, number: 1_188), time: .seconds(7), label: ".heading(359.0)"),
        .init(id: Cause(lane: 1, number: 1_189), time: .milliseconds(7_100), label: ".location(52.5, 4.3)"),
        .init(
          id: Cause(lane: 2, number: 16),
          time: .milliseconds(7_101),
          duration: .milliseconds(17),
          label: "TurnBoat",
          cause: Cause(lane: 1, number: 1_189)
        ),
        .init(
          id: Cause(lane: 1, number: 1_190),
          time: .milliseconds(14_120),
          label: ".heading(\n91.0)",
          cause: Cause(lane: 2, number: 16),
          failure: "too late"
        ),
        .init(
          id: Cause(lane: 1, number: 1_191),
          time: .milliseconds(14_120),
          label: "x",
          cause: Cause(lane: 9, number: 1)
        ),
      ]
    )
    #expect(
      run.marbles == """
             0:00.000
        geo  a--b-----de
        shop -----c-----

        a  0:00.000  geo #1188  .heading(359.0)
        b  0:00.100  geo #1189  .location(52.5, 4.3)
        c  0:00.101  shop #16   TurnBoat, took 17 ms   ← b
        d  0:07.120  geo #1190  .heading(\\n91.0), failed: too late   ← c
        e  0:07.120  geo #1191  x   ← lane 9 #1, not in the recording

        """
    )
  }

  @Test("no line is wider than 100 columns, all lanes of a block are equally long", arguments: 0..<UInt64(rounds(100)))
  func width(seed: UInt64) {
    for run in [SampleRuns.hostile(seed: seed), SampleRuns.receiver(count: 200, seed: seed)] {
      let lines = run.marbles.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for line in lines { #expect(line.columns <= 100) }
    }
  }

  @Test("each occurrence is one marble, in its lane, right of its cause", arguments: 0..<UInt64(rounds(100)))
  func order(seed: UInt64) throws {
    let run = SampleRuns.receiver(count: 300, seed: seed)
    let lines = run.marbles.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var index = 0
    var line = 0
    while line + 1 < lines.count {
      let lanes = lines[(line + 1)...(line + 4)].map { Array($0.dropFirst(6)) }
      #expect(Set(lanes.map(\.count)).count == 1)
      line += 6
      var columns: [Int: Int] = [:]
      while line < lines.count, let letter = lines[line].first {
        let occurrence = run.occurrences[index]
        let column = try #require(lanes[occurrence.id.lane - 1].firstIndex(of: letter))
        #expect(lanes.joined().count { $0 == letter } == 1)
        #expect(column > columns.values.max() ?? -1)
        columns[index] = column
        index += 1
        line += 1
      }
      line += 1
    }
    #expect(index == 300)
  }
}
