import Streams
import Synchronization

/// The derivation of a combined selector, and its last result, wherever it was made.
///
/// Safe to share: the properties do not change, and the last result is taken out in one step by the one who looks at
/// it, or puts another one there. So comparisons and derivations, which are user code, run with nothing held. Who finds
/// it taken out derives anew.
@usableFromInline
final class Derivation<State: Sendable, Field: Sendable>: Sendable {
  /// A result, and the inputs that it was derived from.
  ///
  /// Safe to share: it belongs to who has taken it out.
  @usableFromInline
  final class Result: @unchecked Sendable {
    @usableFromInline let inputs = DerivationInputs()
    @exclusivity(unchecked) @usableFromInline var field: Field?

    @inlinable
    init() {}
  }

  /// Is `true` if inputs that are called equivalent are equal. With a comparison of the user's own the last result may
  /// be that of another state, so it is not used for this one.
  @usableFromInline let isExact: Bool
  /// Adds the inputs to a memory.
  @usableFromInline typealias Enter =
    @Sendable (_ memory: DerivationInputs, _ state: UnsafePointer<State>) -> DerivationInputs.Mentions
  /// Derives from inputs that are in a memory, from a mention on.
  @usableFromInline typealias Derive = @Sendable (_ memory: DerivationInputs, _ first: Int) -> Field

  @usableFromInline let enter: Enter
  @usableFromInline let derive: Derive
  /// Retained while it is here.
  @usableFromInline let last = Atomic<Unmanaged<Result>?>(nil)
  /// Is `true` once the last result has been asked for from outside of a tree. Until then no tree leaves its results
  /// here.
  @usableFromInline let isReadOutside = Atomic<Bool>(false)

  @inlinable
  init(isExact: Bool, enter: @escaping Enter, derive: @escaping Derive) {
    self.isExact = isExact
    self.enter = enter
    self.derive = derive
  }

  deinit {
    last.load(ordering: .acquiring)?.release()
  }

  /// The field of a state for a read outside of a tree.
  @inlinable
  func fieldOutside(of state: UnsafePointer<State>) -> Field {
    // Looked at first: a store would take the cache line away from the threads that read.
    if !isReadOutside.load(ordering: .relaxed) { isReadOutside.store(true, ordering: .relaxed) }
    return field(of: state)
  }

  /// The field of a state, derived anew if it is not the last result.
  @inlinable
  func field(of state: UnsafePointer<State>) -> Field {
    guard isExact else {
      let memory = DerivationInputs()
      memory.begin(enter(memory, state))
      return derive(memory, memory.own.first)
    }
    let last = takeLast()
    defer { keep(last) }
    let isOther = last._withUnsafeGuaranteedRef { look(at: state, for: $0) }
    if !isOther, let field = last._withUnsafeGuaranteedRef({ $0.field }) { return field }
    let field = last._withUnsafeGuaranteedRef { derive($0.inputs, $0.inputs.own.first) }
    last._withUnsafeGuaranteedRef { $0.field = field }
    return field
  }

  /// The field of a state, for a use that begins or goes on with it.
  @inlinable
  func field(of state: UnsafePointer<State>, with memory: DerivationInputs) -> Field {
    if memory.isEmpty { memory.begin(enter(memory, state)) } else { _ = memory.refresh(from: state) }
    return isExact ? field(of: state) : derive(memory, memory.own.first)
  }

  /// The field of a state, for a use whose inputs have been read and differ.
  @inlinable
  func newField(of state: UnsafePointer<State>, with memory: DerivationInputs) -> Field {
    let field = derive(memory, memory.own.first)
    if isExact, isReadOutside.load(ordering: .relaxed) {
      let last = takeLast()
      last._withUnsafeGuaranteedRef { result in
        _ = look(at: state, for: result)
        result.field = field
      }
      keep(last)
    }
    return field
  }

  /// Reads the inputs of a result anew.
  ///
  /// - Returns: whether one of them differs.
  @inlinable
  func look(at state: UnsafePointer<State>, for result: Result) -> Bool {
    if !result.inputs.isEmpty { return result.inputs.refresh(from: state) }
    result.inputs.begin(enter(result.inputs, state))
    return true
  }

  /// Takes the last result out, which is retained; an empty one if there is none.
  @inlinable
  func takeLast() -> Unmanaged<Result> {
    last.exchange(nil, ordering: .acquiring) ?? .passRetained(Result())
  }

  /// Makes this the last result. It has been retained.
  @inlinable
  func keep(_ result: Unmanaged<Result>) {
    last.exchange(result, ordering: .acquiringAndReleasing)?.release()
  }
}

extension DerivationInputs {
  /// Adds an input as it is in a state, and what it is derived from, unless it is here.
  ///
  /// - Returns: its index.
  @usableFromInline
  func add<State: Sendable, Field: Sendable>(
    _ selector: StateSelector<State, Field>,
    from state: UnsafePointer<State>
  ) -> Int {
    guard case .unique(let origin) = selector.id else { return append(reading: selector, from: state) }
    // It lives as long as the selector, and the closures of the derivation keep that.
    let id = ObjectIdentifier(origin)
    if let index = known[id] { return index }
    let index =
      if let derivation = origin as? Derivation<State, Field> {
        append(derivation, comparing: selector.areEquivalent, from: state)
      } else {
        append(reading: selector, from: state)
      }
    known[id] = index
    return index
  }

  private func append<State: Sendable, Field: Sendable>(
    reading selector: StateSelector<State, Field>,
    from state: UnsafePointer<State>
  ) -> Int {
    let reader = selector.makeReader()
    return append(reader.read(state), isDerived: false, update: reader.update)
  }

  private func append<State: Sendable, Field: Sendable>(
    _ derivation: Derivation<State, Field>,
    comparing areEquivalent: @escaping @Sendable (Field, Field) -> Bool,
    from state: UnsafePointer<State>
  ) -> Int {
    let mentions = derivation.enter(self, state)
    let derive = derivation.derive
    return append(derive(self, mentions.first), isDerived: true) { memory, field in
      // Safe: the address is that of the memory that this closure stands in, which calls it.
      Unmanaged<DerivationInputs>.fromOpaque(memory)._withUnsafeGuaranteedRef { memory in
        guard memory.haveChanged(mentions) else { return false }
        let new = derive(memory, mentions.first)
        let field = field.assumingMemoryBound(to: Field.self)
        if areEquivalent(field.pointee, new) { return false }
        field.pointee = new
        return true
      }
    }
  }
}
