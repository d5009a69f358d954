import Streams
import Synchronization

/// The gate in front of states that other threads read, and the fold of one event: the one place in which a shared
/// state is changed by `apply`.
///
/// ```
///   a state that refuses nothing:   gate [ note, apply in place ]   release
///   a state that may refuse:        copy, apply the copy   gate [ note, swap ]   release
///   readers:                        gate [ copy ]
/// ```
@usableFromInline
package struct FoldGate: ~Copyable {
  @usableFromInline package let gate = StateGate()
  /// Counts the events that were folded. It is written behind the gate, and read there.
  @usableFromInline let foldCount = Atomic<Int>(0)
  #if DEBUG
    /// Whether the owner of the queue is in `apply`, which may change a copy, in front of the gate.
    @usableFromInline package let isApplying = Atomic<Bool>(false)
  #endif

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  borrowing func countFold() {
    foldCount.store(foldCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// Runs `body`, which calls an `apply`.
  @inlinable
  @inline(__always)
  package borrowing func applying<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if DEBUG
      let isInside = isApplying.exchange(true, ordering: .relaxed)
      assert(!isInside, "An event is folded inside another one.")
      defer { isApplying.store(false, ordering: .relaxed) }
    #endif
    return try body()
  }

  /// Folds an event; if the state refuses it, the state has not changed.
  ///
  /// - Parameters:
  ///   - state: the address of the state, which is one of those behind the gate.
  ///   - note: does what readers see in one step with the change, also if the event is refused. It returns what is
  ///     released in front of the gate.
  @inlinable
  @inline(__always)
  package borrowing func fold<State: AggregateState, Garbage>(
    _ event: State.Event,
    into state: UnsafePointer<State>,
    _ access: QueueAccess,
    note: () -> Garbage
  ) throws(State.Rejection) {
    access.check()
    if State.Rejection.self == Never.self {
      // In place: however large the state is, an event costs what it changes.
      let garbage = gate.change {
        applying {
          let garbage = note()
          do throws(State.Rejection) { try gate.changed(state).pointee.apply(event) } catch {}
          countFold()
          return garbage
        }
      }
      withExtendedLifetime(garbage) {}
    } else {
      var changed = state.pointee
      var refusal: State.Rejection?
      try applying { () throws(State.Rejection) in
        if Garbage.self == Void.self {
          // If it is refused, nothing has changed, and there is nothing to note.
          try changed.apply(event)
        } else {
          do throws(State.Rejection) { try changed.apply(event) } catch { refusal = error }
        }
      }
      let garbage = gate.change {
        let garbage = note()
        if refusal == nil {
          swap(&changed, &gate.changed(state).pointee)
          countFold()
        }
        return garbage
      }
      // What was there is released here, where other threads may read. Each by itself: a pair of them would be a copy.
      withExtendedLifetime(changed) {}
      withExtendedLifetime(garbage) {}
      if let refusal { throw refusal }
    }
  }
}
