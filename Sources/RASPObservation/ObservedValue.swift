public import Aggregate
public import Observation
public import RASPKeyed
public import Streams

/// One value for views: a ranking, a count or a set of keys of a keyed aggregator, or a selection of any aggregator.
///
///     let best = ObservedValue(quotes.ranked(by: \.change, first: 20), keeping: quotes)
///     best.value                                  // tracked
///
/// A view that reads ``value`` in its body, or a closure of `withObservationTracking` that does, is told when it
/// changes. It is compared by `==`; a value that cannot be compared counts as changed whenever it comes.
///
/// ### Ordering
///
/// The first value is there when the object has been made. What an event changes that is sent on the main actor is
/// there when `send` returns, unless another thread is delivering. What others send is there at the next turn of the
/// main actor, and of all that has come until then the newest. What is sent by code that is being told of a change is
/// there when that change is over.
///
/// ### Lifetime
///
/// It does not keep the aggregator, unless it is told to. It is not kept by the aggregator. When the aggregator has
/// finished or was released, the last value stays readable.
///
/// ### Concurrency
///
/// Every member belongs to the main actor. The aggregator may be used from any thread meanwhile.
@MainActor
public final class ObservedValue<Value: Sendable>: Observation.Observable {
  @usableFromInline let registrar = ObservationRegistrar()
  /// Made once: the literal would be made anew for each read.
  @usableFromInline let path: KeyPath<ObservedValue, Value>
  @usableFromInline let isUnchanged = makeValueComparison(of: Value.self)
  @usableFromInline let current: @Sendable () -> Value
  @usableFromInline let kept: AnyObject?
  @usableFromInline var shown: Value?
  // The main actor alone uses both, and no access to either goes on while code of the user runs.
  /// What has come while observers are told of another value.
  @exclusivity(unchecked) @usableFromInline var next: Value?
  @exclusivity(unchecked) @usableFromInline var isShowing = false
  @usableFromInline var subscription: Subscription?

  /// Makes an object that shows the value of a query.
  ///
  /// - Parameters:
  ///   - query: a ranking, a count, or a set of keys.
  ///   - owner: an object to be kept as long as this one, which is the aggregator as a rule.
  /// - Complexity: as to subscribe to the query: O(rows), for a ranking O(rows × log rows).
  @inlinable
  public convenience init(_ query: RowQuery<Value>, keeping owner: AnyObject? = nil) {
    self.init(query.observable, current: { query.current }, keeping: owner)
  }

  /// Makes an object that shows the field of a selection.
  ///
  /// - Parameters:
  ///   - selection: a selection of an aggregator, or of a row.
  ///   - owner: an object to be kept as long as this one, which is the aggregator as a rule.
  /// - Complexity: as to subscribe to the selection.
  @inlinable
  public convenience init(_ selection: Selection<Value>, keeping owner: AnyObject? = nil) {
    self.init(selection.observable, current: { selection.current }, keeping: owner)
  }

  @inlinable
  init(
    _ stream: Streams.Observable<Value, Never>,
    current: @escaping @Sendable () -> Value,
    keeping owner: AnyObject?
  ) {
    self.current = current
    kept = owner
    path = \.value
    shown = nil
    next = nil
    subscription = nil
    subscription = Assignment(self, atOnce: true) { $0.show($1) }.follow(stream, current: current)
  }

  /// The value. It is tracked.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var value: Value {
    registrar.access(self, keyPath: path)
    return shown ?? current()
  }

  @inlinable
  func show(_ value: Value) {
    next = value
    if isShowing { return }
    isShowing = true
    while let value = next.take() {
      if let shown, isUnchanged(shown, value) { continue }
      // It may send, and what that changes is newer than this value.
      registrar.willSet(self, keyPath: path)
      shown = value
      registrar.didSet(self, keyPath: path)
    }
    isShowing = false
  }
}
