import Streams

extension StateSelector where Field: Equatable {
  /// Derives a field from several others. The derivation runs only when one of them has changed.
  ///
  ///     let estimate = StateSelector(combining: distance, speed) { $0 / $1 }
  ///
  /// - Parameters:
  ///   - inputs: the fields to derive from; each decides by its own comparison whether it has changed.
  ///   - derive: gets the fields in that order.
  /// - Complexity: O(inputs) per event. Each use of the selector in a tree of selections remembers its last result.
  public init<each Input: Sendable>(
    combining inputs: repeat StateSelector<State, each Input>,
    derive: @escaping @Sendable (repeat each Input) -> Field
  ) {
    self.init(id: .unique(SelectorID.Token()), isComparable: true, by: { isUnchanged($0, $1) }) {
      let memories = (repeat InputMemory(each inputs))
      let result = ConfinedBox<Field?>(nil)
      return { state in
        var hasChanged = false
        repeat (each memories).refresh(from: state, &hasChanged)
        if !hasChanged, let last = result.storage.value { return last }
        let new = derive(repeat (each memories).current(in: state))
        result.storage.value = new
        return new
      }
    }
  }
}

/// What a derivation saw last of one of its inputs.
///
/// Safe to share: owned by the delivery that evaluates the derivation.
private struct InputMemory<State: Sendable, Field: Sendable>: Sendable {
  private let read: StateSelector<State, Field>.Read
  private let areEquivalent: @Sendable (Field, Field) -> Bool
  private let last = ConfinedBox<Field?>(nil)

  init(_ selector: StateSelector<State, Field>) {
    read = selector.makeRead()
    areEquivalent = selector.areEquivalent
  }

  func refresh(from state: borrowing Confined<State>, _ hasChanged: inout Bool) {
    let new = read(state)
    if let last = last.storage.value, areEquivalent(last, new) { return }
    last.storage.value = new
    hasChanged = true
  }

  func current(in state: borrowing Confined<State>) -> Field {
    last.storage.value ?? read(state)
  }
}
