import RASPPrimitives
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
  ///   Each use of the selector in a tree of selections remembers its last result. Once it has been read outside of a
  ///   tree, by `current` or in a snapshot, the selector remembers the last one of all, too, with the inputs that it
  ///   was derived from: they live as long as the selector, or until it derives anew. A read that finds another thread
  ///   looking at that derives anew.
  @inlinable
  public init<each Input: Sendable>(
    combining inputs: repeat StateSelector<State, each Input>,
    derive: @escaping @Sendable (repeat each Input) -> Field
  ) {
    let inputs = (repeat each inputs)
    var isExact = true
    for input in repeat each inputs {
      if !input.isExact { isExact = false }
    }
    // The compiler does not specialise what a loop over a pack calls. So there are two such loops only: one that runs
    // once for each use of the selector, and one that copies the inputs for a derivation.
    self.init(
      Derivation(
        isExact: isExact,
        enter: { memory, state in
          var indices: [Int] = []
          repeat indices.append(memory.add(each inputs, from: state))
          return memory.mention(indices)
        },
        derive: { memory, first in
          var next = DerivationInputs.Cursor(memory, from: first)
          return derive(repeat next.take((each Input).self))
        }
      )
    )
  }

  @inlinable
  init(_ derivation: Derivation<State, Field>) {
    self.init(
      id: .unique(derivation),
      isComparable: true,
      isExact: derivation.isExact,
      comparing: { isUnchanged($0, $1) },
      recall: { state in withUnsafePointer(to: state) { derivation.fieldOutside(of: $0) } }
    ) {
      let memory = DerivationInputs()
      return FieldReader(read: { derivation.field(of: $0, with: memory) }) { state, field in
        guard memory.refresh(from: state) else { return false }
        let new = derivation.newField(of: state.assumingMemoryBound(to: State.self), with: memory)
        let field = field.assumingMemoryBound(to: Field.self)
        if isUnchanged(field.pointee, new) { return false }
        field.pointee = new
        return true
      }
    }
  }
}
