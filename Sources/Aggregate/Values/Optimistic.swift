/// An event of a state that shows changes before they are confirmed.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum Prediction<Change: Sendable, ID: Hashable & Sendable>: Sendable {
  /// Changes the confirmed state: an event from where the truth is.
  case change(Change)

  /// Shows a change that has been asked for, until it is confirmed or refused under this identity.
  case predict(Change, as: ID)

  /// Makes a predicted change part of the confirmed state. An unknown identity does nothing.
  case confirm(ID)

  /// Takes a predicted change back, and none of the others. An unknown identity does nothing.
  case refuse(ID)
}

extension Prediction: Equatable where Change: Equatable {}
extension Prediction: Hashable where Change: Hashable {}
extension Prediction: Encodable where Change: Encodable, ID: Encodable {}
extension Prediction: Decodable where Change: Decodable, ID: Decodable {}

/// A state that shows a change at once, and takes it back when the change is refused.
///
///     let cart = Aggregator(initial: Optimistic<CartState, UUID>(CartState()))
///
///     func add(_ item: Item) async {
///       let id = UUID()
///       cart.send(.predict(.add(item), as: id))     // shown now
///       do {
///         try await server.add(item)
///         cart.send(.confirm(id))
///       } catch {
///         cart.send(.refuse(id))                    // not shown any more; what came meanwhile is
///       }
///     }
///
/// The fields of ``present`` are read as if they were its own. It is the confirmed state with the changes that are
/// waiting applied to it, in the order in which they were predicted, anew at each event. A change that does not fit any
/// more, because the state refuses it, is left out for as long as that is so.
///
/// It is `Codable` with the state, its events and the identities, and so is ``Prediction``, so a journal keeps it with
/// the changes that are waiting.
///
/// - Complexity: an event costs what it costs the state, and, unless it predicts, what the waiting changes cost: each
///   of them is applied to the confirmed state anew. While changes are waiting, there are two states, and a collection
///   that differs in them is stored twice; otherwise there is one, and an event is applied in place.
@dynamicMemberLookup
public struct Optimistic<Base: AggregateState, ID: Hashable & Sendable>: AggregateState {
  /// The state without the changes that are waiting.
  public private(set) var confirmed: Base

  /// The same for code that is compiled where the type is known, which cannot use a private setter.
  @usableFromInline var changing: Base {
    get { confirmed }
    _modify { yield &confirmed }
  }

  @usableFromInline var waiting: [(id: ID, change: Base.Event)]
  /// `nil` while nothing is waiting.
  @usableFromInline var predicted: Base?

  /// Makes a state in which nothing is waiting.
  ///
  /// - Complexity: O(1).
  public init(_ confirmed: Base) {
    self.confirmed = confirmed
    waiting = []
    predicted = nil
  }

  /// The state with the changes that are waiting.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var present: Base { predicted ?? confirmed }

  /// The identities of the changes that are waiting, in the order in which they were predicted.
  ///
  /// - Complexity: O(waiting changes).
  @inlinable
  public var waitingIDs: [ID] { waiting.map { $0.id } }

  /// A field of the present state.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript<Field>(dynamicMember keyPath: KeyPath<Base, Field>) -> Field { present[keyPath: keyPath] }

  /// Changes the confirmed state, or predicts, confirms or refuses a change.
  ///
  /// - Errors: throws what the state throws for a change that is not confirmed yet: the confirmed state for `change`,
  ///   the present one for `predict`. A change that is confirmed and does not fit is dropped without an error: it has
  ///   been accepted elsewhere, and the event that says so is no mistake.
  /// - Complexity: the cost of the event and of the waiting changes.
  @inlinable
  public mutating func apply(_ event: Prediction<Base.Event, ID>) throws(Base.Rejection) {
    switch event {
    case .change(let change):
      // Before the change, so that it copies nothing that only the predicted state has as well.
      predicted = nil
      do throws(Base.Rejection) {
        try changing.apply(change)
      } catch {
        predictAgain()
        throw error
      }
    case .predict(let change, let id):
      var changed = predicted.take() ?? confirmed
      do throws(Base.Rejection) {
        try changed.apply(change)
      } catch {
        predictAgain()
        throw error
      }
      waiting.append((id, change))
      predicted = changed
      return
    case .confirm(let id):
      guard let change = remove(id) else { return }
      predicted = nil
      changing.applyIfItFits(change)
    case .refuse(let id):
      guard remove(id) != nil else { return }
    }
    predict()
  }

  /// Makes the predicted state anew, because the state has refused a change.
  @inlinable
  @inline(never)
  mutating func predictAgain() {
    predict()
  }

  /// Takes the first change of an identity out.
  @inlinable
  mutating func remove(_ id: ID) -> Base.Event? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
    return waiting.remove(at: index).change
  }

  @inlinable
  mutating func predict() {
    // First, because a copy would make the changes copy what they change.
    predicted = nil
    guard !waiting.isEmpty else { return }
    var state = confirmed
    for (_, change) in waiting { state.applyIfItFits(change) }
    predicted = state
  }
}

extension Optimistic {
  private enum CodingKeys: String, CodingKey {
    case confirmed, ids, changes
  }
}

extension Optimistic: Encodable where Base: Encodable, Base.Event: Encodable, ID: Encodable {
  /// Encodes the confirmed state, and the changes that wait for an answer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(confirmed, forKey: .confirmed)
    try container.encode(waiting.map { $0.id }, forKey: .ids)
    try container.encode(waiting.map { $0.change }, forKey: .changes)
  }
}

extension Optimistic: Decodable where Base: Decodable, Base.Event: Decodable, ID: Decodable {
  /// Decodes a state and the changes that wait, which are predicted again.
  ///
  /// - Errors: throws `DecodingError.dataCorrupted` if there are not as many changes as identities.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(Base.self, forKey: .confirmed))
    let ids = try container.decode([ID].self, forKey: .ids)
    let changes = try container.decode([Base.Event].self, forKey: .changes)
    guard ids.count == changes.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .changes,
        in: container,
        debugDescription: "There are not as many changes as identities."
      )
    }
    waiting = zip(ids, changes).map { (id: $0, change: $1) }
    predict()
  }
}
