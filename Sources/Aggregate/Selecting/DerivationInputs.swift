import Streams

/// The inputs of a derivation as they were read last, for one use of it.
///
/// ```
///   inputs  [ how to read it anew │ ● ]  [ how to read it anew │ ● ]
///                                   ▼                            ▼
///                                  42                         "north"
/// ```
///
/// It does not know the types of the inputs: each is in memory of its own, and is read anew by the closure that its
/// selector has made, where the types are known. So an event looks at no pack, and at no type at run time.
///
/// Safe to share: it belongs to one use of a selector, and only the owner of that use calls it, one call at a time.
@usableFromInline
final class DerivationInputs: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var inputs = OwnedList<DerivationInput>()

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool { inputs.count == 0 }

  /// Adds the next input, as it is in a state.
  @usableFromInline
  func add<State: Sendable, Field: Sendable>(_ selector: StateSelector<State, Field>, from state: UnsafePointer<State>)
  {
    let reader = selector.makeReader()
    let value = UnsafeMutablePointer<Field>.allocate(capacity: 1)
    value.initialize(to: reader.read(state))
    inputs.append(
      DerivationInput(UnsafeMutableRawPointer(value), update: reader.update) { value in
        value.assumingMemoryBound(to: Field.self).deinitialize(count: 1)
        value.deallocate()
      }
    )
  }

  /// Reads all inputs anew.
  ///
  /// - Returns: whether one of them differs.
  @usableFromInline
  func refresh(from state: UnsafeRawPointer) -> Bool {
    var hasChanged = false
    for index in 0..<inputs.count {
      if inputs.address(at: index).pointee.refresh(from: state) { hasChanged = true }
    }
    return hasChanged
  }

  /// Takes the inputs one after the other, in the order in which they were added.
  @usableFromInline
  struct Cursor {
    @usableFromInline let memory: DerivationInputs
    @usableFromInline var index = 0

    @inlinable
    init(_ memory: DerivationInputs) {
      self.memory = memory
    }

    /// Copies the next input.
    ///
    /// - Parameter type: the type that it was added with.
    @inlinable
    @inline(__always)
    mutating func take<Field>(_ type: Field.Type) -> Field {
      defer { index += 1 }
      return memory.inputs.address(at: index).pointee.value.assumingMemoryBound(to: Field.self).pointee
    }
  }
}

/// One input of a derivation, with the memory that it owns. It cannot be copied, so that its closure is called without
/// counting a reference.
@usableFromInline
struct DerivationInput: ~Copyable {
  @usableFromInline let value: UnsafeMutableRawPointer
  private let update: FieldUpdate
  private let release: @Sendable (_ value: UnsafeMutableRawPointer) -> Void

  init(
    _ value: UnsafeMutableRawPointer,
    update: @escaping FieldUpdate,
    release: @escaping @Sendable (_ value: UnsafeMutableRawPointer) -> Void
  ) {
    self.value = value
    self.update = update
    self.release = release
  }

  deinit {
    release(value)
  }

  borrowing func refresh(from state: UnsafeRawPointer) -> Bool {
    update(state, value)
  }
}
