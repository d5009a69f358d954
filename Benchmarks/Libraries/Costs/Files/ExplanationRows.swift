import Aggregate
import CostRows
import RASPInsight
import Streams

/// The rows of those who read what was recorded.
let explanationRows: [CostRow] = [
  CostRow(
    "ins.recording",
    "FlightRecorder.recording",
    should: 4_800,
    count: 16,
    sizes: [16, 64, 256],
    of: "length of the tape",
    note: "O(events on the tape)"
  ) { size in
    let (meter, insight, recorder) = recorded(size)
    return { count in
      for _ in 0..<count { precondition(recorder.recording.entries.count == size) }
      withExtendedLifetime((meter, insight)) {}
    }
  },
  CostRow(
    "ins.timeline",
    "Insight.timeline",
    should: 48_000,
    count: 4,
    sizes: [16, 64, 256],
    of: "length of the tape",
    note: "O(events on the tapes × fields), by reflection"
  ) { size in
    let (meter, insight, recorder) = recorded(size)
    return { count in
      for _ in 0..<count { precondition(insight.timeline.occurrences.count == size) }
      withExtendedLifetime((meter, recorder)) {}
    }
  },
  CostRow(
    "ins.why",
    "FlightRecorder.why",
    should: 48_000,
    count: 4,
    sizes: [16, 64, 256],
    of: "length of the tape",
    note: "O(events on the tape)"
  ) { size in
    let (meter, insight, recorder) = recorded(size)
    return { count in
      for _ in 0..<count { precondition(!recorder.why(\.value).description.isEmpty) }
      withExtendedLifetime((meter, insight)) {}
    }
  },
]

private func recorded(_ size: Int) -> (Aggregator<Meter>, Insight, FlightRecorder<Meter>) {
  let insight = Insight()
  let meter = Aggregator(initial: Meter())
  let recorder = insight.record(meter, as: "meter", last: size)
  for value in 0..<2 * size { meter.send(value) }
  return (meter, insight, recorder)
}
