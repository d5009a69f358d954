import Aggregate
import CostRows

/// States that show changes before they are confirmed.
let optimisticRows = [
  CostRow("optimistic.none", "Optimistic: a change, no prediction", should: 500) { _ in
    let state = Held(Optimistic<FormState, Int>(FormState()))
    return { count in
      for index in 0..<count { state.value.apply(.change(.count(index))) }
      precondition(state.value.present.count == count - 1)
    }
  },
  CostRow("optimistic.predict", "Optimistic: predict, nothing is confirmed", should: 500) { _ in
    let state = Held(Optimistic<FormState, Int>(FormState()))
    return { count in
      for index in 0..<count { state.value.apply(.predict(.count(index), as: index)) }
      precondition(state.value.present.count == count - 1)
    }
  },
  CostRow(
    "optimistic.change",
    "Optimistic: a confirmed change",
    should: 520,
    count: 64,
    sizes: [1, 16, 256],
    of: "predictions that wait",
    note: "O(waiting changes): they are applied to the confirmed state anew"
  ) { size in
    let state = Held(Optimistic<FormState, Int>(FormState()))
    for index in 0..<size { state.value.apply(.predict(.count(index), as: index)) }
    return { count in
      for _ in 0..<count { state.value.apply(.change(.other)) }
      precondition(state.value.present.count == size - 1)
    }
  },
  CostRow(
    "optimistic.predict.confirm",
    "Optimistic: predict, and confirm the oldest",
    should: 520,
    count: 64,
    sizes: [1, 16, 256],
    of: "predictions that wait",
    note: "O(waiting changes): they are applied to the confirmed state anew"
  ) { size in
    let state = Held(Optimistic<FormState, Int>(FormState()))
    let next = Held(0)
    for _ in 0..<size {
      state.value.apply(.predict(.other, as: next.value))
      next.value += 1
    }
    return { count in
      for _ in 0..<count {
        state.value.apply(.predict(.other, as: next.value))
        state.value.apply(.confirm(next.value - size))
        next.value += 1
      }
      precondition(state.value.present.other == next.value)
    }
  },
]
