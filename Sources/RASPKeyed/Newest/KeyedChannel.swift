import RASPPrimitives
import Streams

/// The newest value for each key, and which of them one reader has not seen.
///
/// ```
///   senders ──▶ slots   [ v0  v1  v2  v3 ]      a value replaces the one before it
///               changed [ 2, 0 ]                in the order of the first change ──▶ reader
/// ```
///
/// Safe to share: everything is behind the lock. The reader is resumed, and values are released, after unlocking.
@usableFromInline
final class KeyedChannel<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let key: Key
    /// What the reader has not seen; `nil` if there is nothing.
    @usableFromInline var unseen: Value?

    @inlinable
    init(key: Key) { self.key = key }
  }

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var slots: [Slot] = []
    @usableFromInline var changed: [Int] = []
    @usableFromInline var endedCount = 0
    /// The number of streams; `nil` until they are all subscribed to.
    @usableFromInline var streamCount: Int?
    @usableFromInline var isCancelled = false
    @usableFromInline var reader: CheckedContinuation<Void, Never>?

    @inlinable
    init() {}

    @inlinable var isOver: Bool { isCancelled || endedCount == streamCount }
  }

  @usableFromInline let state = Lock(State())

  @inlinable
  init() {}

  /// Makes the slots of the keys that are known.
  @inlinable
  func open(_ keys: [Key]) {
    state.withLock { $0.slots = keys.map { Slot(key: $0) } }
  }

  /// Makes a slot for another key.
  ///
  /// - Returns: its index.
  @inlinable
  func addSlot(of key: Key) -> Int {
    state.withLock { state in
      state.slots.append(Slot(key: key))
      return state.slots.count - 1
    }
  }

  @inlinable
  func put(_ value: Value, at index: Int) {
    var before: Value?
    let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.isCancelled else { return nil }
      swap(&before, &state.slots[index].unseen)
      state.slots[index].unseen = value
      if before == nil { state.changed.append(index) }
      return state.reader.take()
    }
    reader?.resume()
    withExtendedLifetime(before) {}
  }

  /// All streams are subscribed to.
  @inlinable
  func start(_ streamCount: Int) {
    state.withLock { $0.streamCount = streamCount }
  }

  /// One of the streams has ended.
  @inlinable
  func end() {
    state.withLock { state in
      state.endedCount += 1
      return state.isOver ? state.reader.take() : nil
    }?.resume()
  }

  @inlinable
  func cancel() {
    let (reader, slots) = state.withLock { state in
      var slots: [Slot] = []
      swap(&slots, &state.slots)
      state.isCancelled = true
      state.changed = []
      return (state.reader.take(), slots)
    }
    reader?.resume()
    _ = consume slots
  }

  /// What has changed since the last look; `nil` if nothing has, and nothing will.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> [(key: Key, value: Value)]? {
    while true {
      let (changes, isOver) = state.withLock { state in
        let changes = state.changed.compactMap { index in
          state.slots[index].unseen.take().map { (key: state.slots[index].key, value: $0) }
        }
        state.changed.removeAll(keepingCapacity: true)
        return (changes, state.isOver)
      }
      if !changes.isEmpty { return changes }
      if isOver || Task.isCancelled { return nil }
      await withCheckedContinuation(isolation: isolation) { continuation in
        let isReady = state.withLock { state in
          if !state.changed.isEmpty || state.isOver { return true }
          assert(state.reader == nil, "Two tasks read one iterator.")
          state.reader = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
