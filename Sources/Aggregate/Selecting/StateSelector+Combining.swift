import Streams

extension StateSelector where Field: Equatable {
  /// Makes a selector that derives a field from several others. The derivation runs only when one of them has changed.
  ///
  ///     let estimate = StateSelector(combining: distance, speed) { $0 / $1 }
  ///
  /// - Parameters:
  ///   - inputs: the fields to derive from; each decides by its own comparison whether it has changed.
  ///   - derive: gets the fields in that order.
  /// The inputs are kept for that, so an event that changes a collection among them copies the collection.
  ///
  /// - Complexity: O(inputs) per event. Each use of the selector in a tree of selections remembers its last result, and
  ///   the selector remembers the last one of all, for reads outside of a tree.
  public init<each Input: Sendable>(
    combining inputs: repeat StateSelector<State, each Input>,
    derive: @escaping @Sendable (repeat each Input) -> Field
  ) {
    let derivation = Derivation(repeat each inputs, derive: derive)
    self.init(
      id: .unique(SelectorID.Token()),
      isComparable: true,
      isExact: derivation.isExact,
      comparing: { isUnchanged($0, $1) },
      recall: { derivation.field(of: $0) }
    ) {
      let memory = DerivationMemory(derivation)
      return FieldReader(read: { memory.field(of: $0) }) { state, field in
        guard let new = memory.newField(of: state.assumingMemoryBound(to: State.self)) else { return false }
        let field = field.assumingMemoryBound(to: Field.self)
        if isUnchanged(field.pointee, new) { return false }
        field.pointee = new
        return true
      }
    }
  }
}

/// The inputs and the derivation of a combined selector, and the last result, wherever it was made.
///
/// Safe to share: the last result is behind the lock; comparisons and derivations, which are user code, run after
/// unlocking.
private final class Derivation<State: Sendable, Field: Sendable, each Input: Sendable>: Sendable {
  private struct Result: Sendable {
    let inputs: (repeat each Input)
    let field: Field
  }

  let inputs: (repeat StateSelector<State, each Input>)
  private let derive: @Sendable (repeat each Input) -> Field
  /// Is `true` if inputs that are called equivalent are equal. With a comparison of the user's own the last result may
  /// be that of another state, so it is not used for this one.
  let isExact: Bool
  private let last = Lock<Result?>(nil)

  init(_ inputs: repeat StateSelector<State, each Input>, derive: @escaping @Sendable (repeat each Input) -> Field) {
    self.inputs = (repeat each inputs)
    self.derive = derive
    var isExact = true
    for input in repeat each inputs {
      if !input.isExact { isExact = false }
    }
    self.isExact = isExact
  }

  /// The field of a state, derived anew if it is not the last result.
  func field(of state: State) -> Field {
    let values = (repeat (each inputs)(state))
    return field(from: repeat each values)
  }

  func field(from values: repeat each Input) -> Field {
    if isExact, let last = last.withLock({ $0 }), isResult(last, of: repeat each values) { return last.field }
    return newField(from: repeat each values)
  }

  func newField(from values: repeat each Input) -> Field {
    let field = derive(repeat each values)
    if isExact { last.exchange(with: Result(inputs: (repeat each values), field: field)) }
    return field
  }

  private func isResult(_ last: Result, of values: repeat each Input) -> Bool {
    for (input, old, new) in repeat (each inputs, each last.inputs, each values) {
      if !input.areEquivalent(old, new) { return false }
    }
    return true
  }
}

/// The memory of a combined selector for one use of it: the inputs that it has derived from.
private final class DerivationMemory<State: Sendable, Field: Sendable, each Input: Sendable>: Sendable {
  private let derivation: Derivation<State, Field, repeat each Input>
  private let inputs: (repeat InputMemory<State, each Input>)

  init(_ derivation: Derivation<State, Field, repeat each Input>) {
    self.derivation = derivation
    inputs = (repeat InputMemory(each derivation.inputs))
  }

  /// The field of the first state.
  func field(of state: UnsafePointer<State>) -> Field {
    var hasChanged = false
    repeat (each inputs).refresh(from: state, &hasChanged)
    return derivation.field(from: repeat (each inputs).value)
  }

  /// The field of a later state; `nil` if nothing that it is derived from has changed.
  func newField(of state: UnsafePointer<State>) -> Field? {
    var hasChanged = false
    repeat (each inputs).refresh(from: state, &hasChanged)
    return hasChanged ? derivation.newField(from: repeat (each inputs).value) : nil
  }
}

/// The last value that a derivation saw of one of its inputs, for one use.
private struct InputMemory<State: Sendable, Field: Sendable>: Sendable {
  private let reader: FieldReader<State, Field>
  private let areEquivalent: @Sendable (Field, Field) -> Bool
  private let last = Confined<Field?>(nil)

  init(_ selector: StateSelector<State, Field>) {
    reader = selector.makeReader()
    areEquivalent = selector.areEquivalent
  }

  /// Reads the input.
  func refresh(from state: UnsafePointer<State>, _ hasChanged: inout Bool) {
    let new = reader.read(state)
    last.withValue { last in
      if let old = last, areEquivalent(old, new) { return }
      last = new
      hasChanged = true
    }
  }

  /// The value that was read last.
  var value: Field {
    last.withValue { last in
      assert(last != nil, "An input was used before it was read.")
      return last.unsafelyUnwrapped
    }
  }
}
