import Aggregate
import CostRows

/// States whose changes are undone. The history is as long as its limit.
let undoRows = [
  CostRow("undoable", "Undoable: a change", should: 500, count: 4_096, sizes: [10, 160, 2_560], of: "history, full") { size in
    let state = Held(Undoable(FormState(), limit: size))
    for index in 0..<size { state.value.apply(.change(.count(index))) }
    return { count in
      for index in 0..<count { state.value.apply(.change(.count(index))) }
      precondition(state.value.present.count == count - 1)
    }
  },
  CostRow(
    "undoable.inState",
    "Undoable as a field of a state: a change",
    should: 500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "history, full"
  ) { size in
    let aggregator = Aggregator(initial: EditorState(limit: size))
    for index in 0..<size { aggregator.send(.change(.count(index))) }
    return { count in
      for index in 0..<count { aggregator.send(.change(.count(index))) }
      precondition(aggregator.snapshot.form.present.count == count - 1)
    }
  },
  CostRow(
    "undoable.refusing",
    "Undoable of a state that may refuse: a change",
    should: 500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "history, full"
  ) { size in
    let aggregator = Aggregator(initial: Undoable(PickyState(), limit: size))
    for index in 0..<size { aggregator.send(.change(index)) }
    return { count in
      for index in 0..<count { aggregator.send(.change(index)) }
      precondition(aggregator.snapshot.present.count == count - 1)
    }
  },
  CostRow(
    "undoable.select",
    "Undoable: a change, one selection",
    should: 500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "history, full"
  ) { size in
    let aggregator = Aggregator(initial: Undoable(FormState(), limit: size))
    let sink = Sink()
    let token = aggregator.select(\.present.count).subscribe { sink.see($0) }
    for index in 0..<size { aggregator.send(.change(.count(index))) }
    return { count in
      for index in 0..<count { aggregator.send(.change(.count(index))) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("undoable.undo.redo", "Undoable: undo and redo", should: 500, count: 4_096, sizes: [10, 160, 2_560], of: "history") {
    size in
    let state = Held(Undoable(FormState(), limit: size))
    for index in 0..<size { state.value.apply(.change(.count(index))) }
    return { count in
      for _ in 0..<count {
        state.value.apply(.undo)
        state.value.apply(.redo)
      }
      precondition(state.value.present.count == size - 1)
    }
  },
  CostRow(
    "undoable.listOf",
    "Undoable: a change of a list",
    should: 500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "its length",
    note: "O(list): the snapshot before the change holds the list, so the change copies it; Reversible does not"
  ) { size in
    let state = Held(Undoable(ListState(list: Array(0..<size))))
    for index in 0..<100 { state.value.apply(.change(index)) }
    return { count in
      for index in 0..<count { state.value.apply(.change(index)) }
      precondition(state.value.present.list[3] == count - 1)
    }
  },
  CostRow("reversible", "Reversible: a change", should: 500, count: 4_096, sizes: [10, 160, 2_560], of: "history, full") { size in
    let state = Held(Reversible(TallyState(), limit: size))
    for _ in 0..<size { state.value.apply(.change(1)) }
    return { count in
      let before = state.value.present.count
      for _ in 0..<count { state.value.apply(.change(1)) }
      precondition(state.value.present.count == before + count)
    }
  },
  CostRow("reversible.undo.redo", "Reversible: undo and redo", should: 500, count: 4_096, sizes: [10, 160, 2_560], of: "history") {
    size in
    let state = Held(Reversible(TallyState(), limit: size))
    for _ in 0..<size { state.value.apply(.change(1)) }
    return { count in
      for _ in 0..<count {
        state.value.apply(.undo)
        state.value.apply(.redo)
      }
      precondition(state.value.present.count == size)
    }
  },
]

private struct EditorState: AggregateState {
  var form: Undoable<FormState>

  init(limit: Int) {
    form = Undoable(FormState(), limit: limit)
  }

  mutating func apply(_ event: Revision<FormState.Event>) {
    form.apply(event)
  }
}

private struct PickyState: AggregateState {
  struct Negative: Error {}

  var count = 0

  mutating func apply(_ count: Int) throws(Negative) {
    if count < 0 { throw Negative() }
    self.count = count
  }
}

private struct ListState: AggregateState {
  var list: [Int]

  mutating func apply(_ value: Int) {
    list[3] = value
  }
}

private struct TallyState: ReversibleState {
  var count = 0

  mutating func apply(_ amount: Int) {
    count += amount
  }

  func inverse(of amount: Int) -> Int? { -amount }
}
