import Aggregate
import CostRows

/// Alarms and the age of values.
let alarmRows = [
  CostRow("hysteresis", "Hysteresis.update", should: 40) { _ in
    let alarm = Held(Hysteresis(raisesAt: 80.0, clearsAt: 70.0))
    let sink = Sink()
    return { count in
      for index in 0..<count { sink.see(alarm.value.update(with: Double(index & 127)) ? 1 : 0) }
    }
  },
  CostRow(
    "staleness",
    "Staleness.refresh, advance, isStale",
    should: 40,
    note: "three calls, and two instants of 128 bits are made of seconds"
  ) { _ in
    let staleness = Held(Staleness(after: .seconds(5)))
    let sink = Sink()
    let now = Held(0)
    return { count in
      for _ in 0..<count {
        now.value += 4
        staleness.value.refresh(at: .seconds(now.value))
        staleness.value.advance(to: .seconds(now.value + 2))
        sink.see(staleness.value.isStale ? 1 : 0)
      }
    }
  },
]
