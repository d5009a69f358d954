import Aggregate
import CostRows
import Observation
import RASPKeyed
import RASPObservation
import Streams

/// What a view reads and sends. The rows run on the first thread, which is that of the main actor.
let observedFieldRows = [
  CostRow(
    "obs.read",
    "Observed field, read",
    should: 150,
    note: "the key path is the caller's literal, made once and asked for each time"
  ) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      let sink = Sink()
      return { count in
        for _ in 0..<count { sink.see(form.count) }
      }
    }
  },
  CostRow(
    "obs.read.string",
    "Observed String, read",
    should: 150,
    note: "the key path is the caller's literal, made once and asked for each time"
  ) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      let sink = Sink()
      return { count in
        for _ in 0..<count { sink.see(form.name) }
      }
    }
  },
  CostRow(
    "obs.read.keyPath",
    "Observed[key path], read",
    should: 150,
    note: "the key path is the caller's literal, made once and asked for each time"
  ) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      let sink = Sink()
      return { count in
        for _ in 0..<count { sink.see(form[\.count]) }
      }
    }
  },
  CostRow(
    "obs.row.read",
    "Observed of a row: read",
    should: 150,
    note: "the compiler makes a key path through ObservedRow, which holds that of the field, for each read"
  ) { _ in
    onMainActor {
      let aggregator = KeyedAggregator<Int, RowState>(by: \.key) { _ in RowState() }
      aggregator.send(RowState.Event(key: 7))
      let row = Observed(aggregator, key: 7)
      let sink = Sink()
      return { count in
        for _ in 0..<count { sink.see(row.v ?? 0) }
      }
    }
  },
  CostRow("obs.value.read", "ObservedValue.value, read", should: 150) { _ in
    onMainActor {
      let aggregator = Aggregator(initial: FormState())
      let value = ObservedValue(aggregator.select(\.count), keeping: aggregator)
      let sink = Sink()
      return { count in
        for _ in 0..<count { sink.see(value.value) }
      }
    }
  },
  CostRow("obs.send", "Observed.send, no observer", should: 600) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      return { count in
        for index in 0..<count { form.send(.count(index)) }
        precondition(form.count == count - 1)
      }
    }
  },
  CostRow("obs.assign", "Observed[key path, sending:] =", should: 600) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      return { count in
        for index in 0..<count { form[\.count, sending: FormState.Event.count] = index }
        precondition(form.count == count - 1)
      }
    }
  },
  CostRow("obs.send.tracked", "Observed.send, another field was observed", should: 600) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      return { count in
        withObservationTracking {
          _ = form.name
        } onChange: {
          preconditionFailure("The name has not changed.")
        }
        for index in 0..<count { form.send(.count(index)) }
      }
    }
  },
  CostRow("obs.row.send", "Observed of a row: send", should: 600, count: 16_384, sizes: [10, 160, 2_560], of: "rows") {
    size in
    onMainActor {
      let aggregator = KeyedAggregator<Int, RowState>(by: \.key) { _ in RowState() }
      for key in 0..<size { aggregator.send(RowState.Event(key: key)) }
      let row = Observed(aggregator, key: 7)
      return { count in
        let before = aggregator[7].current?.v ?? 0
        for _ in 0..<count { row.send(RowState.Event(key: 7)) }
        precondition(aggregator[7].current?.v == before + count)
      }
    }
  },
  CostRow(
    "obs.send.observed",
    "observe a field and Observed.send, the observer is told",
    should: 4_000,
    note: "the allocations are those of Observation, as with @Observable"
  ) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      let sink = Sink()
      return { count in
        for index in 0..<count {
          withObservationTracking {
            _ = form.count
          } onChange: {
            sink.see(1)
          }
          form.send(.count(index + 1_000_000 &+ form.count))
        }
      }
    }
  },
  CostRow(
    "obs.observe.only",
    "withObservationTracking of one field, nothing is sent",
    should: 2_500,
    note: "the allocations are those of Observation, as with @Observable"
  ) { _ in
    onMainActor {
      let form = Observed(Aggregator(initial: FormState()))
      return { count in
        for _ in 0..<count {
          withObservationTracking {
            _ = form.count
          } onChange: {
          }
        }
      }
    }
  },
  CostRow("obs.foreign.send", "Aggregator.send with an Observed beside, one turn at the end", should: 350) { _ in
    onMainActor {
      let aggregator = Aggregator(initial: FormState())
      let form = Observed(aggregator)
      return { count in
        for index in 0..<count { aggregator.send(.count(index)) }
        takeTurns()
        precondition(form.count == count - 1)
      }
    }
  },
  CostRow(
    "obs.value.send",
    "Aggregator.send with an ObservedValue, shown at once",
    should: 600,
    note: "the runtime is asked four times whether this is the main actor"
  ) { _ in
    onMainActor {
      let aggregator = Aggregator(initial: FormState())
      let value = ObservedValue(aggregator.select(\.count), keeping: aggregator)
      let run = Held(0)
      return { count in
        for _ in 0..<count {
          run.value += 1
          aggregator.send(.count(run.value))
        }
        takeTurns()
        precondition(value.value == run.value)
      }
    }
  },
]

struct RowState: AggregateState {
  struct Event: Sendable {
    var key: Int
  }

  var v = 0
  var w = 0

  mutating func apply(_ event: Event) {
    v += 1
  }
}
