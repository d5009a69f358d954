import CostRows
import Observation

/// A class with `@Observable`, beside which an observed state is seen.
let plainRows = [
  CostRow("plain.read", "a field of a class with @Observable, read, for comparison", should: 150, note: Note.plain) {
    _ in
    onMainActor {
      let form = Plain()
      let sink = Sink()
      return { count in
        for _ in 0..<count { sink.see(form.count) }
      }
    }
  },
  CostRow("plain.set", "a field of a class with @Observable, set, for comparison", should: 520, note: Note.plain) {
    _ in
    onMainActor {
      let form = Plain()
      return { count in
        for index in 0..<count { form.count = index }
      }
    }
  },
  CostRow(
    "plain.set.observed",
    "a field of a class with @Observable, observed and set, for comparison",
    should: 12_300,
    note: Note.plain
  ) { _ in
    onMainActor {
      let form = Plain()
      let sink = Sink()
      return { count in
        for index in 0..<count {
          withObservationTracking {
            _ = form.count
          } onChange: {
            sink.see(1)
          }
          form.count = index
        }
      }
    }
  },
  CostRow(
    "plain.observe.only",
    "a field of a class with @Observable, observed, for comparison",
    should: 6_800,
    note: Note.plain
  ) { _ in
    onMainActor {
      let form = Plain()
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
]

@MainActor
@Observable
private final class Plain {
  var count = 0
}
