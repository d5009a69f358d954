public import Aggregate
public import Observation
public import Streams

/// The state of an aggregator for views: an object of the main actor that is observed field by field.
///
///     let form = Observed(Aggregator(initial: FormState()))
///     form.name                                              // tracked, for this field alone
///     form.send(.rename("Kim"))
///     form.name                                              // "Kim"
///     form[\.name, sending: FormEvent.rename] = "Robin"      // reads a field, and sends what is assigned
///
/// A view that reads `form.name` in its body, or a closure of `withObservationTracking` that does, is told when the
/// name changes, and not when another field does. A field is compared by `==`; one that cannot be compared counts as
/// changed when its memory has changed.
///
/// `form.address.street` is tracked as the field `address`. Write `form[\.address.street]` to be told of the street
/// alone, and `form[\.self]` for the whole state. A field that is called like a member of this class is read by its key
/// path, too: `form[\.send]`.
///
/// A key path is read again in later states while an observer waits for it, so it must lead to a value in every state:
/// a subscript has to return `nil` for a row that is not there any more. `form.rows[7]` is tracked as the field `rows`
/// and asks nothing of later states.
///
/// ### Ordering
///
/// All fields that are read belong to one state. The first one is there when the object has been made. What is sent by
/// ``send(_:)`` is there when it returns: if another thread delivers, the event waits in the line of the aggregator,
/// and until it is folded, the state is shown with the event applied to it. What others send is there at the next turn
/// of the main actor. All that has come until then is one change, and each field that differs is reported once.
///
/// ### Lifetime
///
/// The object keeps the aggregator, unless it was made with `keeping: false`. It is not kept by the aggregator. When
/// the aggregator has finished or was released, the last state stays readable, and ``send(_:)`` returns `false`.
///
/// ### Concurrency
///
/// Every member belongs to the main actor. The aggregator may be used from any thread meanwhile.
///
/// - Complexity: a turn copies the state and compares its memory with that of the state before: O(size of the state's
///   own memory, without that of its collections). A field that has changed is compared by `==`; a computed one that an
///   observer waits for is read and compared in each turn, also for an observer of `withObservationTracking` that was
///   dropped before it was told of a change: the registrar keeps it. While a state is shown, the next event that
///   changes one of its collections copies that collection.
@MainActor
@dynamicMemberLookup
public final class Observed<State: AggregateState>: Observation.Observable {
  @usableFromInline let aggregator: AggregatorView<State>
  @usableFromInline let kept: AnyObject?
  @usableFromInline let signal: TurnSignal
  @usableFromInline let conflated: ConflatedValue<(state: State, folded: Int)>
  @usableFromInline let registrar: ObservationRegistrar
  @usableFromInline let fields: TrackedFields
  @usableFromInline var subscription: Subscription?
  /// No code of the user runs inside its methods, so nothing else uses it meanwhile.
  @usableFromInline @exclusivity(unchecked) var ownEvents: OwnEvents<State>
  /// The newest state of which it is known how many of its own events are in it.
  @usableFromInline @exclusivity(unchecked) var known: State
  /// The state that is shown: in memory of its own, so that a field is read where it is, also by a comparison of the
  /// user. Safe outside of the main actor for `deinit` alone, because nothing else has the object then.
  @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var shown: UnsafeMutablePointer<State>
  /// Memory for the state that takes its place. There is a state only while it does.
  @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var other: UnsafeMutablePointer<State>
  /// The state to be shown next; `nil` if `shown` is the newest.
  @usableFromInline @exclusivity(unchecked) var next: State?
  @usableFromInline @exclusivity(unchecked) var isShowing = false

  /// Makes an object that shows the state of an aggregator.
  ///
  /// - Parameters:
  ///   - aggregator: the aggregator whose state is shown.
  ///   - keeping: `true` to keep the aggregator alive as long as this object; `false` if other code does.
  /// - Complexity: O(1), beside a copy of the state.
  @inlinable
  public convenience init(_ aggregator: Aggregator<State>, keeping: Bool = true) {
    self.init(AggregatorView(aggregator), kept: keeping ? aggregator : nil)
  }

  @inlinable
  init(_ view: AggregatorView<State>, kept: AnyObject?) {
    aggregator = view
    self.kept = kept
    signal = TurnSignal()
    conflated = ConflatedValue()
    registrar = ObservationRegistrar()
    fields = TrackedFields(stateSize: MemoryLayout<State>.size)
    ownEvents = OwnEvents()
    known = view.snapshot
    shown = .allocate(capacity: 1)
    shown.initialize(to: known)
    other = .allocate(capacity: 1)
    next = nil
    subscription = nil
    let signal = signal
    // Until it has been read below, an event need not ask for a turn.
    _ = signal.claim()
    let turn = MainTurn { [weak self] in self?.takeTurn() }
    subscription = view.afterEachEvent { if signal.claim() { turn.ask() } }
    signal.begin()
    known = view.snapshot
    shown.pointee = known
  }

  deinit {
    shown.deinitialize(count: 1)
    shown.deallocate()
    other.deallocate()
  }

  /// A field of the state that is shown. It is tracked for this field alone.
  ///
  /// - Complexity: O(1), beside the cost of the key path.
  @inlinable
  public subscript<Field>(dynamicMember keyPath: KeyPath<State, Field>) -> Field {
    let field = fields.trackRecent(keyPath) ?? track(keyPath)
    note(field, as: Field.self)
    // A stored property is read where it is: the key path need not be followed.
    guard let offset = field.offset else { return shown.pointee[keyPath: keyPath] }
    return UnsafeRawPointer(shown).advanced(by: offset).assumingMemoryBound(to: Field.self).pointee
  }

  /// Tells the observer who is reading, if there is one, that it has read a field. The field was made for the key path
  /// that is read by, or for one that is equal, so its path leads to the type that is read.
  @inlinable
  @inline(__always)
  func note<Field>(_ field: TrackedField, as type: Field.Type) {
    registrar.access(self, keyPath: unsafeDowncast(field.path, to: KeyPath<Observed<State>, Field>.self))
  }

  @inlinable
  @inline(never)
  func track<Field>(_ keyPath: KeyPath<State, Field>) -> TrackedField {
    fields.track(keyPath) { \Observed<State>.[dynamicMember: keyPath] }
  }

  /// What a key path leads to in the state that is shown. It is tracked for this key path alone.
  ///
  ///     form[\.address.street]
  ///
  /// - Complexity: O(1), beside the cost of the key path.
  @inlinable
  public subscript<Field>(_ keyPath: KeyPath<State, Field>) -> Field {
    self[dynamicMember: keyPath]
  }

  /// Two-way access to a field: a read is tracked as any other, and an assignment sends an event.
  ///
  ///     form[\.name, sending: FormEvent.rename] = "Kim"      // form.send(.rename("Kim"))
  ///
  /// The field is what the state makes of the event, so it may differ from what was assigned.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - event: makes an event of the new value.
  /// - Complexity: as for reading a field, and as for ``send(_:)``.
  @inlinable
  public subscript<Field>(_ keyPath: KeyPath<State, Field>, sending event: (Field) -> State.Event) -> Field {
    get { self[dynamicMember: keyPath] }
    set { send(event(newValue)) }
  }

  /// Sends an event to the aggregator.
  ///
  /// - Returns: `true` if the event was accepted, as `send` of the aggregator.
  /// - Ordering: the event is shown when this returns, unless the state refuses it. If it is called from code that is
  ///   being told of a change, the event is shown when that change is over.
  /// - Errors: a refusal is reported on the aggregator's `rejections`.
  /// - Complexity: as `send` of the aggregator, and as one turn. How many of its own events wait makes no difference.
  @inlinable
  @discardableResult
  public func send(_ event: State.Event) -> Bool {
    // First, because a subscriber may call this again before the aggregator's `send` returns.
    let number = ownEvents.append(event)
    let looksItself = signal.claim()
    let isAccepted = aggregator.send(event)
    if looksItself { signal.begin() }
    // It also shows what others have changed, so the sender of this event is not the cause of what observers do then.
    CarriedCause.unknown.deliver {
      if let state = aggregator.settledSnapshot {
        // What is released here may send the next event, and that has shown a newer state then.
        let sent = ownEvents.sent
        foldAll()
        if ownEvents.sent == sent { known = state }
        if ownEvents.sent == sent { show(state) }
      } else {
        showAhead(number, isAccepted: isAccepted)
      }
    }
    return isAccepted
  }

  /// Shows an event of its own that may wait, because the aggregator is delivering.
  @inlinable
  @inline(never)
  func showAhead(_ number: Int, isAccepted: Bool) {
    if isAccepted { askInLine() } else { _ = ownEvents.remove(number) }
    if let newest = conflated.close() {
      if ownEvents.isWorthFolding(through: newest.folded) {
        fold(through: newest)
      } else if conflated.putBack(newest), signal.claim() {
        MainTurn { [weak self] in self?.takeTurn() }.ask()
      }
    }
    if ownEvents.areFolded { lookAround() } else { show(stateAhead()) }
  }

  /// Takes a state that was read in line as the newest one, unless it has no news.
  @inlinable
  func fold(through newest: (state: State, folded: Int)) {
    guard let folded = ownEvents.fold(through: newest.folded) else { return }
    known = newest.state
    withExtendedLifetime(folded) {}
  }

  /// Notes that all events have been folded that it has sent. Ends early if what is released sends another one.
  @inlinable
  func foldAll() {
    let sent = ownEvents.sent
    while ownEvents.sent == sent, ownEvents.foldLast() != nil {}
    if ownEvents.sent == sent { _ = ownEvents.takeAhead() }
  }

  /// The state as it will be when the events that wait have been folded, if no others come before them.
  @inlinable
  func stateAhead() -> State {
    let unapplied = ownEvents.unapplied
    var state = ownEvents.takeAhead() ?? known
    for (_, event) in unapplied { state.applyIfItFits(event) }
    ownEvents.ahead = state
    ownEvents.applied = unapplied.last?.number ?? ownEvents.applied
    return state
  }

  /// Asks for the state as it is in line behind the events that were sent so far.
  @inlinable
  func askInLine() {
    let (signal, conflated, sent) = (signal, conflated, ownEvents.sent)
    let turn = MainTurn { [weak self] in self?.takeTurn() }
    conflated.open()
    aggregator.inLine { state in
      if conflated.deliver((state, sent)), signal.claim() { turn.ask() }
    }
  }

  @inlinable
  func takeTurn() {
    signal.begin()
    lookAround()
  }

  /// Shows the newest state that is known, with the events that it lacks applied to it.
  @inlinable
  func lookAround() {
    // A value without news may be older than what is known.
    if let newest = conflated.close() { fold(through: newest) }
    // While events of its own wait, a snapshot does not tell which of them are in it. The next value will.
    if ownEvents.areFolded {
      known = aggregator.snapshot
      show(known)
    } else {
      show(stateAhead())
    }
  }

  /// Shows a state: tells the observers of the fields that differ, changes all fields, and tells them again.
  @inlinable
  func show(_ state: State) {
    next = state
    if isShowing { return }
    isShowing = true
    while let state = next.take() {
      other.initialize(to: state)
      let changed = fields.takeChanged(from: shown, to: other)
      for field in changed { field.willSet(registrar, self, field.path) }
      swap(&shown, &other)
      for field in changed { field.didSet(registrar, self, field.path) }
      other.deinitialize(count: 1)
    }
    isShowing = false
  }
}
