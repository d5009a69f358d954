import Streams

/// The inputs of a derivation as they were read last, for one use of it, and what these are derived from in turn.
///
/// ```
///   inputs     [ distance │ 42 ]  [ speed │ 7 ]  [ arrival │ 6 ]
///   mentions   { 0  1 }     what the arrival is derived from
///              { 2  0 }     what this use derives from: `own`
/// ```
///
/// What is derived stands behind what it is derived from. A selector stands here once, however often it is mentioned,
/// if it was made from a closure or combines others. So an event reads the inputs in this order, each once, and a
/// selector that mentions another one twice on each of n levels costs n evaluations and not 2ⁿ.
///
/// It does not know the types of the inputs: each is in memory of its own, and is read anew by the closure that its
/// selector has made, where the types are known. So an event looks at no pack, and at no type at run time.
///
/// Safe to share: it belongs to one use of a selector, and only the owner of that use calls it, one call at a time.
@usableFromInline
final class DerivationInputs: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var inputs = OwnedList<DerivationInput>()
  @exclusivity(unchecked) @usableFromInline var mentions = OwnedList<Mention>()
  /// The mentions of the derivation whose use this is.
  @exclusivity(unchecked) @usableFromInline var own = Mentions(first: 0, count: 0)
  /// Is `true` if some inputs are derived from others.
  @exclusivity(unchecked) private var hasDerived = false
  /// The indices of the inputs that may be mentioned again, while inputs are added.
  @exclusivity(unchecked) var known: [ObjectIdentifier: Int] = [:]

  /// An input that a derivation takes: its index, and the address of its value.
  @usableFromInline
  struct Mention {
    @usableFromInline let index: Int
    @usableFromInline let value: UnsafeMutableRawPointer
  }

  /// The inputs of one derivation, in the order in which it takes them, as a part of `mentions`.
  @usableFromInline
  struct Mentions: Sendable {
    @usableFromInline let first: Int
    @usableFromInline let count: Int
  }

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool { inputs.count == 0 }

  /// Adds an input.
  ///
  /// - Parameters:
  ///   - isDerived: whether it is updated from this object, and not from the state.
  ///   - update: reads it anew.
  /// - Returns: its index.
  func append<Field: Sendable>(_ field: Field, isDerived: Bool, update: @escaping FieldUpdate) -> Int {
    if isDerived { hasDerived = true }
    let value = UnsafeMutablePointer<Field>.allocate(capacity: 1)
    value.initialize(to: field)
    inputs.append(
      DerivationInput(UnsafeMutableRawPointer(value), isDerived: isDerived, update: update) { value in
        value.assumingMemoryBound(to: Field.self).deinitialize(count: 1)
        value.deallocate()
      }
    )
    return inputs.count - 1
  }

  /// Notes which inputs a derivation takes.
  ///
  /// - Parameter indices: of the inputs, in the order in which it takes them.
  @usableFromInline
  func mention(_ indices: [Int]) -> Mentions {
    let first = mentions.count
    for index in indices { mentions.append(Mention(index: index, value: inputs.address(at: index).pointee.value)) }
    return Mentions(first: first, count: indices.count)
  }

  /// Notes whose use this is.
  @usableFromInline
  func begin(_ own: Mentions) {
    self.own = own
    known = [:]
    for index in own.first..<own.first + own.count {
      inputs.address(at: mentions.address(at: index).pointee.index).pointee.isOwn = true
    }
  }

  /// Reads all inputs anew.
  ///
  /// - Returns: whether one of those that the derivation of this use takes differs.
  @usableFromInline
  func refresh(from state: UnsafeRawPointer) -> Bool {
    if hasDerived { return refreshDerived(from: state) }
    var hasChanged = false
    for index in 0..<inputs.count {
      if inputs.address(at: index).pointee.update(from: state) { hasChanged = true }
    }
    return hasChanged
  }

  private func refreshDerived(from state: UnsafeRawPointer) -> Bool {
    var hasChanged = false
    for index in 0..<inputs.count {
      let input = inputs.address(at: index)
      let differs = input.pointee.update(from: input.pointee.isDerived ? address : state)
      input.pointee.hasChanged = differs
      if differs, input.pointee.isOwn { hasChanged = true }
    }
    return hasChanged
  }

  private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// Returns whether one of the inputs of a derivation differs from what it was before they were read anew.
  func haveChanged(_ mentioned: Mentions) -> Bool {
    for index in mentioned.first..<mentioned.first + mentioned.count {
      if inputs.address(at: mentions.address(at: index).pointee.index).pointee.hasChanged { return true }
    }
    return false
  }

  /// Takes the inputs of a derivation one after the other.
  @usableFromInline
  struct Cursor {
    @usableFromInline let memory: DerivationInputs
    @usableFromInline var index: Int

    @inlinable
    init(_ memory: DerivationInputs, from first: Int) {
      self.memory = memory
      index = first
    }

    /// Copies the next input.
    ///
    /// - Parameter type: the type that it was added with.
    @inlinable
    @inline(__always)
    mutating func take<Field>(_ type: Field.Type) -> Field {
      defer { index += 1 }
      return memory.mentions.address(at: index).pointee.value.assumingMemoryBound(to: Field.self).pointee
    }
  }
}

/// One input of a derivation, with the memory that it owns. It cannot be copied, so that its closure is called without
/// counting a reference.
@usableFromInline
struct DerivationInput: ~Copyable {
  @usableFromInline let value: UnsafeMutableRawPointer
  /// Is `true` if it is derived from others. Then it is updated from the ``DerivationInputs`` that it stands in, and
  /// not from the state.
  let isDerived: Bool
  /// Is `true` if the derivation whose use this is takes it.
  var isOwn = false
  /// Is `true` if it differed when it was read last. It is not kept where nothing is derived.
  var hasChanged = false
  private let updateField: FieldUpdate
  private let release: @Sendable (_ value: UnsafeMutableRawPointer) -> Void

  init(
    _ value: UnsafeMutableRawPointer,
    isDerived: Bool,
    update: @escaping FieldUpdate,
    release: @escaping @Sendable (_ value: UnsafeMutableRawPointer) -> Void
  ) {
    self.value = value
    self.isDerived = isDerived
    updateField = update
    self.release = release
  }

  deinit {
    release(value)
  }

  /// Reads the input anew.
  ///
  /// - Returns: whether it differs.
  borrowing func update(from root: UnsafeRawPointer) -> Bool {
    updateField(root, value)
  }
}
