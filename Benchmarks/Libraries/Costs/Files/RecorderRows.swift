import Aggregate
import CostRows
import RASPInsight
import RASPKeyed
import RASPTesting
import Streams

/// The rows of what is recorded while it happens.
let recorderRows: [CostRow] = [
  CostRow(
    "ins.agg",
    "Aggregator.send, recorded",
    should: 330,
    count: 1_024,
    sizes: [64, 256, 1_024],
    of: "length of the tape"
  ) {
    size in
    recorded(last: size) { Insight() }
  },
  CostRow("ins.agg.noBase", "Aggregator.send, recorded without base", should: 330) { _ in
    recorded(last: 512, keepingBase: false) { Insight() }
  },
  CostRow("ins.agg.virtual", "Aggregator.send, recorded, virtual time", should: 450) { _ in
    recorded(last: 512) { Insight(on: VirtualScheduler()) }
  },
  CostRow(
    "ins.keyed",
    "KeyedAggregator.send, recorded",
    should: 500,
    sizes: [16, 64, 256],
    of: "rows",
    note: "the step of the row, and the rows before the events"
  ) { size in
    let rows = KeyedAggregator(by: \Reading.key, initial: { _ in KeyedMeter() })
    let recorder = Insight().record(rows, as: "rows")
    for key in 0..<size { rows.send(Reading(key: key, value: 0)) }
    let sink = Sink()
    let token = rows[3].select(\.value).subscribe { sink.see($0 ?? 0) }
    return { count in
      for value in 0..<count { rows.send(Reading(key: 3, value: value)) }
      withExtendedLifetime((token, recorder)) {}
    }
  },
  CostRow(
    "ins.keyed.spread",
    "KeyedAggregator.send, recorded, all keys in turn",
    should: 500,
    count: 1_024,
    sizes: [16, 64, 256],
    of: "rows"
  ) {
    size in
    let rows = KeyedAggregator(by: \Reading.key, initial: { _ in KeyedMeter() })
    let recorder = Insight().record(rows, as: "rows")
    for key in 0..<size { rows.send(Reading(key: key, value: 0)) }
    return { count in
      for value in 0..<count { rows.send(Reading(key: value % size, value: value)) }
      withExtendedLifetime(recorder) {}
    }
  },
  CostRow("ins.keyed.noBase", "KeyedAggregator.send, recorded without base", should: 500) { _ in
    let rows = KeyedAggregator(by: \Reading.key, initial: { _ in KeyedMeter() })
    let recorder = Insight().record(rows, as: "rows", keepingBase: false)
    for key in 0..<10 { rows.send(Reading(key: key, value: 0)) }
    return { count in
      for value in 0..<count { rows.send(Reading(key: 3, value: value)) }
      withExtendedLifetime(recorder) {}
    }
  },
  CostRow("ins.chain", "an aggregator feeds another, both recorded", should: 550) { _ in
    let insight = Insight()
    let first = Aggregator(initial: Meter())
    let second = Aggregator(initial: Meter(), sources: first.select(\.value).observable)
    let recorders = [insight.record(first, as: "first"), insight.record(second, as: "second")]
    return { count in
      for value in 0..<count { first.send(value) }
      precondition(second.snapshot.value == count - 1)
      withExtendedLifetime(recorders) {}
    }
  },
  CostRow(
    "ins.record",
    "a recorder more, made and released",
    should: 15_000,
    count: 32,
    sizes: [16, 64, 256],
    of: "recorders that are kept",
    note: "a recorder, its lane and the memory of its tape"
  ) { size in
    let insight = Insight()
    let others = (0..<size).map { number in
      let meter = Aggregator(initial: Meter())
      return (meter, insight.record(meter, as: "meter \(number)", last: 4))
    }
    let meter = Aggregator(initial: Meter())
    return { count in
      for _ in 0..<count {
        let recorder = insight.record(meter, as: "meter", last: 4)
        withExtendedLifetime(recorder) {}
      }
      withExtendedLifetime(others) {}
    }
  },
]

private func recorded(last size: Int, keepingBase keepsBase: Bool = true, by insight: () -> Insight) -> (Int) -> Void {
  let meter = Aggregator(initial: Meter())
  let recorder = insight().record(meter, as: "meter", last: size, keepingBase: keepsBase)
  let sink = Sink()
  let token = meter.select(\.value).subscribe { sink.see($0) }
  for value in 0..<2 * size { meter.send(value) }
  return { count in
    for value in 0..<count { meter.send(value) }
    withExtendedLifetime((token, recorder)) {}
  }
}
