/// What one use of a combined selector derives from, and what that is derived from in turn.
///
/// ```
///   arrival ──▶ distance, speed      a selector stands here once, however often it is mentioned on all levels,
///   delay   ──▶ arrival, speed       if it was made from a closure or combines others
/// ```
///
/// So an event reads each input once, and a selector that mentions another one twice on each of n levels costs n
/// evaluations and not 2ⁿ.
///
/// Safe to share: it belongs to one use of a selector, and only the owner of that use calls it, one call at a time.
@usableFromInline
package final class DerivationInputs: @unchecked Sendable {
  /// The inputs that may be mentioned again, while inputs are added.
  private var known: [ObjectIdentifier: DerivationInput] = [:]
  /// The number of the present read, in which each input is read at most once.
  @exclusivity(unchecked) @usableFromInline var read = 0

  @usableFromInline
  init() {}

  /// The input that a selector reads: the one that is there, or a new one.
  ///
  /// - Parameter begin: begins a use of the selector.
  @usableFromInline
  func input<Field>(_ id: SelectorID, _ begin: () -> (field: Field, update: FieldUpdate)) -> DerivationInput {
    guard case .unique(let token) = id else { return DerivationInput(begin()) }
    // The token lives as long as the selector, and the closures of the derivation keep that.
    if let input = known[ObjectIdentifier(token)] { return input }
    let input = DerivationInput(begin())
    known[ObjectIdentifier(token)] = input
    return input
  }

  /// Ends the time in which inputs are added. What is known is given up, because inputs may hold this object.
  @usableFromInline
  func endAdding() { known = [:] }

  @inlinable
  func beginRead() { read += 1 }

  /// The inputs that one derivation takes, in their order.
  @usableFromInline
  struct Taken: Sendable {
    private let inputs: [DerivationInput]
    /// The same, for walks that count no references.
    @usableFromInline let borrowed: [Unmanaged<DerivationInput>]
    @usableFromInline let all: DerivationInputs

    @usableFromInline
    init(_ inputs: [DerivationInput], of all: DerivationInputs) {
      self.inputs = inputs
      borrowed = inputs.map { .passUnretained($0) }
      self.all = all
    }

    /// Reads the inputs anew, unless that has been done in this read.
    ///
    /// - Returns: whether one of them differs.
    @usableFromInline
    func haveChanged(in state: UnsafeRawPointer) -> Bool {
      var haveChanged = false
      let read = all.read
      for input in borrowed {
        if input._withUnsafeGuaranteedRef({ $0.hasChanged(in: state, read: read) }) { haveChanged = true }
      }
      return haveChanged
    }

    /// Copies the next input.
    ///
    /// - Parameter type: the type that it was made with.
    @inlinable
    @inline(__always)
    func take<Field>(_ type: Field.Type, at index: inout Int) -> Field {
      defer { index += 1 }
      return borrowed[index]._withUnsafeGuaranteedRef { $0.field }.assumingMemoryBound(to: Field.self).pointee
    }
  }
}

/// One input of a derivation, as it was read last. Its type is known to the closures that were made with it only, so an
/// event looks at no pack, and at no type at run time.
///
/// Safe to share: as the ``DerivationInputs`` that it belongs to.
@usableFromInline
package final class DerivationInput: @unchecked Sendable {
  @usableFromInline let field: UnsafeMutableRawPointer
  private let update: FieldUpdate
  private let release: () -> Void
  /// The number of the read in which it was read last.
  @exclusivity(unchecked) private var read = 0
  @exclusivity(unchecked) private var differs = false

  init<Field>(_ use: (field: Field, update: FieldUpdate)) {
    let field = UnsafeMutablePointer<Field>.allocate(capacity: 1)
    field.initialize(to: use.field)
    self.field = UnsafeMutableRawPointer(field)
    update = use.update
    release = {
      field.deinitialize(count: 1)
      field.deallocate()
    }
  }

  deinit {
    release()
  }

  /// Reads the input anew, unless that has been done.
  ///
  /// - Returns: whether it differs.
  func hasChanged(in state: UnsafeRawPointer, read: Int) -> Bool {
    if self.read != read {
      self.read = read
      differs = update(state, field)
    }
    return differs
  }
}
