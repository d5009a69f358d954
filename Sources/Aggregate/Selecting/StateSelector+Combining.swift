import Streams

extension StateSelector where Field: Equatable {
  /// Makes a selector that derives a field from several others. The derivation runs only when one of them has changed.
  ///
  ///     let estimate = StateSelector(combining: distance, speed) { $0 / $1 }
  ///
  /// The inputs are kept for that, so an event that changes a collection among them copies the collection.
  ///
  /// - Parameters:
  ///   - inputs: the fields to derive from; each decides by its own comparison whether it has changed.
  ///   - derive: gets the fields in that order.
  /// - Complexity: O(inputs) per event, where an input that combines others counts with its own inputs. An input that
  ///   was made from a closure, or combines others, is evaluated once, however often it is mentioned on all levels; one
  ///   that was made by `appending` is evaluated for each time that it is mentioned, with what it was appended to.
  ///   Each use of the selector in a tree of selections remembers its last result, for all subscribers. A read outside
  ///   of a tree, by `current` or of a snapshot, derives anew.
  @inlinable
  public init<each Input: Sendable>(
    combining inputs: repeat StateSelector<State, each Input>,
    derive: @escaping @Sendable (repeat each Input) -> Field
  ) {
    let inputs = (repeat each inputs)
    var isNested = false
    // With a comparison of the user's own, what is kept may have been derived from other inputs than the present ones.
    var kind = ComparisonKind.equality
    for input in repeat each inputs {
      if input.id.isDerived { isNested = true }
      if input.comparison.kind == .own { kind = .own }
    }
    // The compiler does not specialise what a loop over a pack calls. So an event runs one such loop only, and only if
    // an input differs: the one that copies the inputs for a derivation.
    let begin: Begin = { state, outer in
      let all = outer ?? DerivationInputs()
      var own: [DerivationInput] = []
      for input in repeat each inputs { own.append(all.input(input.id) { input.begin(state, all) }) }
      if outer == nil { all.endAdding() }
      let taken = DerivationInputs.Taken(own, of: all)
      let derived: @Sendable () -> Field = {
        var index = 0
        return derive(repeat taken.take((each Input).self, at: &index))
      }
      return (
        derived(),
        { state, field in
          if outer == nil { all.beginRead() }
          guard taken.haveChanged(in: state) else { return false }
          return field.replaceField(by: derived()) { isUnchanged($0, $1) }
        }
      )
    }
    // What is derived from something derived is read as a use, which evaluates nothing twice.
    let read: @Sendable (UnsafePointer<State>) -> Field =
      if isNested { { begin($0, nil).field } } else { { state in derive(repeat (each inputs).read(state)) } }
    self.init(
      id: .unique(SelectorID.Token(isDerived: true)),
      comparison: FieldComparison(kind) { isUnchanged($0, $1) },
      read: read,
      begin: begin
    )
  }
}
