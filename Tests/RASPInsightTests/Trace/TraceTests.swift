import Foundation
import RASPInsight
import RASPSupport
import Streams
import TestSupport
import Testing

@Suite("A run as trace events")
struct TraceTests {
  @Test("slices nest, flows have both ends in slices, tracks have names", arguments: 0..<UInt64(rounds(100)))
  func invariants(seed: UInt64) throws {
    for run in [SampleRuns.hostile(seed: seed), SampleRuns.receiver(count: 300, seed: seed)] {
      let trace = try Trace(of: run.trace)
      #expect(trace.slices.count == run.occurrences.count)
      #expect(Set(trace.events.map { $0["ph"] as? String }).isSubset(of: ["M", "X", "s", "f"]))
      for (track, slices) in Dictionary(grouping: trace.slices, by: \.track) {
        #expect(trace.names[track] != nil)
        expectNesting(slices)
      }
      for (id, ends) in trace.flows {
        #expect(ends.count == 2)
        let (start, end) = (try #require(ends["s"]), try #require(ends["f"]))
        #expect(start.time < end.time, "flow \(id)")
        for end in [start, end] {
          #expect(trace.slices.contains { $0.track == end.track && $0.start <= end.time && end.time <= $0.end })
        }
      }
    }
  }

  private func expectNesting(_ slices: [Trace.Slice]) {
    var open: [Trace.Slice] = []
    for slice in slices.sorted(by: { $0.start < $1.start }) {
      #expect(slice.end > slice.start)
      while let last = open.last, last.end <= slice.start { open.removeLast() }
      if let last = open.last { #expect(slice.end <= last.end) }
      open.append(slice)
    }
  }

  @Test("each cause in the recording has one flow, to the slice of its effect")
  func flows() throws {
    let run = SampleRuns.receiver(count: 300)
    let trace = try Trace(of: run.trace)
    let identities = Set(run.occurrences.map(\.id))
    #expect(trace.flows.count == run.occurrences.count { identities.contains($0.cause) })
    #expect(!trace.flows.isEmpty)
  }

  @Test("what its cause outlasts is inside it; what overlaps without being caused has a track of its own")
  func tracks() throws {
    func command(_ number: Int, at time: Int, _ duration: Int, by cause: Int? = nil) -> Timeline.Occurrence {
      Timeline.Occurrence(
        id: Cause(lane: 1, number: number),
        time: .milliseconds(time),
        duration: .milliseconds(duration),
        label: "\(number)",
        cause: cause.map { Cause(lane: 1, number: $0) } ?? .unknown
      )
    }
    let run = Timeline(
      lanes: [Timeline.Lane(number: 1, name: "shop", kind: .engine, initial: [])],
      occurrences: [
        command(1, at: 0, 100), command(2, at: 10, 20, by: 1), command(3, at: 15, 50), command(4, at: 40, 80, by: 1),
        command(5, at: 70, 10, by: 3), command(6, at: 130, 5),
      ]
    )
    let trace = try Trace(of: run.trace)
    let tracks = trace.slices.map(\.track)
    #expect(tracks.map { $0 - tracks[0] } == [0, 0, 1, 2, 1, 0])
    #expect(trace.names.values.sorted() == ["shop", "shop (2)", "shop (3)"])
    #expect(trace.slices.map { $0.start / 1_000_000 } == [0, 10, 15, 40, 70, 130])
    #expect(trace.slices.map { ($0.end - $0.start) / 1_000_000 } == [100, 20, 50, 80, 10, 5])
  }

  @Test("events of one time stand behind each other, in their order")
  func equalTimes() throws {
    let occurrences = (0..<50).map { number in
      Timeline.Occurrence(
        id: Cause(lane: 1 + number % 2, number: number),
        time: .seconds(1),
        label: "\(number)",
        cause: number == 0 ? .unknown : Cause(lane: 1 + (number - 1) % 2, number: number - 1)
      )
    }
    let starts = try Trace(of: Timeline(lanes: [], occurrences: occurrences).trace).slices.map(\.start)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
    #expect(starts[49] - starts[0] < 10_000)
  }
}

/// The unit of the format is a microsecond.
private func nanoseconds(_ microseconds: Double) -> Int {
  Int((microseconds * 1_000).rounded())
}

/// What a viewer reads.
private struct Trace {
  struct Slice {
    let track: Int
    /// In nanoseconds, as a viewer rounds them.
    let start: Int
    let end: Int
  }

  let events: [[String: Any]]
  let slices: [Slice]
  /// The ends of each flow, by phase.
  let flows: [Int: [String: (track: Int, time: Int)]]
  /// The names of the tracks.
  let names: [Int: String]

  init(of text: String) throws {
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    events = try #require(json?["traceEvents"] as? [[String: Any]])
    var (slices, flows, names): ([Slice], [Int: [String: (track: Int, time: Int)]], [Int: String]) = ([], [:], [:])
    for event in events {
      let phase = event["ph"] as? String ?? ""
      if phase == "M" {
        guard event["name"] as? String == "thread_name" else { continue }
        names[event["tid"] as? Int ?? -1] = (event["args"] as? [String: Any])?["name"] as? String
        continue
      }
      let track = try #require(event["tid"] as? Int)
      let time = nanoseconds(try #require(event["ts"] as? Double))
      if phase == "X" {
        slices.append(Slice(track: track, start: time, end: time + nanoseconds(try #require(event["dur"] as? Double))))
      } else {
        flows[try #require(event["id"] as? Int), default: [:]][phase] = (track, time)
      }
    }
    (self.slices, self.flows, self.names) = (slices, flows, names)
  }
}
