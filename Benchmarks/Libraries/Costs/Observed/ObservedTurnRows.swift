import Aggregate
import CostRows
import RASPObservation
import Streams

/// Changes of others, with a turn of the main actor for each.
let observedTurnRows = [
  CostRow("obs.foreign.turn", "Aggregator.send with an Observed beside, a turn for each", should: 3_000) { _ in
    onMainActor {
      let aggregator = Aggregator(initial: FormState())
      let form = Observed(aggregator)
      return { count in
        for index in 0..<count {
          aggregator.send(.count(index))
          takeTurns()
        }
        precondition(form.count == count - 1)
      }
    }
  },
  CostRow("obs.value.turn", "Aggregator.send with an ObservedValue, a turn for each", should: 3_000) { _ in
    onMainActor {
      let aggregator = Aggregator(initial: FormState())
      let value = ObservedValue(aggregator.select(\.count), keeping: aggregator)
      let run = Held(0)
      return { count in
        for _ in 0..<count {
          run.value += 1
          aggregator.send(.count(run.value))
          takeTurns()
        }
        precondition(value.value == run.value)
      }
    }
  },
  CostRow("assign.turn", "select.assign(to:on:), a turn for each", should: 3_000) { _ in
    onMainActor {
      let aggregator = Aggregator(initial: FormState())
      let label = Label()
      let token = aggregator.select(\.count).assign(to: \.count, on: label)
      let run = Held(0)
      return { count in
        for _ in 0..<count {
          run.value += 1
          aggregator.send(.count(run.value))
          takeTurns()
        }
        precondition(label.count == run.value)
        withExtendedLifetime(token) {}
      }
    }
  },
  CostRow("assign.send", "select.assign(to:on:), one turn at the end", should: 600) { _ in
    onMainActor {
      let aggregator = Aggregator(initial: FormState())
      let label = Label()
      let token = aggregator.select(\.count).assign(to: \.count, on: label)
      let run = Held(0)
      return { count in
        for _ in 0..<count {
          run.value += 1
          aggregator.send(.count(run.value))
        }
        takeTurns()
        precondition(label.count == run.value)
        withExtendedLifetime(token) {}
      }
    }
  },
]

@MainActor
private final class Label {
  var count = 0
}
