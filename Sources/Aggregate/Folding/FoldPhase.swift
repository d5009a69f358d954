import Streams
import Synchronization

/// How far the owner of a queue is with the states that the queue shares, and the fold of one event: the one place in
/// which a shared state is changed by `apply`.
///
/// ```
///   a state that refuses nothing:   claim   note, apply in place            lend   release
///   a state that may refuse:        lend    copy, prepare, apply the copy   claim  note, swap   lend   release
///   readers:                        copy … while it is lent
/// ```
@usableFromInline
package struct FoldPhase: ~Copyable {
  /// Nothing is being folded.
  @usableFromInline static var settled: UInt8 { 0 }
  /// A copy of a state is being changed.
  @usableFromInline package static var applying: UInt8 { 1 }
  /// A state is being changed in place.
  @usableFromInline package static var changing: UInt8 { 2 }

  @usableFromInline let value = Atomic<UInt8>(0)
  /// Counts the events that were folded. The owner of the queue writes it inside of a change, and other threads read it
  /// where they copy the state.
  @usableFromInline let foldCount = Atomic<Int>(0)

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package borrowing func countFold() {
    foldCount.store(foldCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  @inlinable
  package var isSettled: Bool {
    @inline(__always) get { value.load(ordering: .relaxed) == Self.settled }
  }

  @inlinable
  package var isChanging: Bool {
    @inline(__always) get { value.load(ordering: .relaxed) == Self.changing }
  }

  /// Runs `body`, which calls an `apply`, in a phase.
  @inlinable
  @inline(__always)
  package borrowing func mark<Result, Failure: Error>(
    _ phase: UInt8,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if DEBUG
      ApplyingThread.begin()
      defer { ApplyingThread.end() }
    #endif
    value.store(phase, ordering: .relaxed)
    defer { value.store(Self.settled, ordering: .relaxed) }
    return try body()
  }

  /// Folds an event; if the state refuses it, the state has not changed. What is shared is lent when this returns.
  ///
  /// - Parameters:
  ///   - state: the address of the state, which is one of the things that the queue shares.
  ///   - prepare: what `note` needs. It runs while the state is lent, if the state may refuse the event.
  ///   - note: does what readers see in one step with the change, also if the event is refused. It returns what is
  ///     released when the state is lent again.
  @inlinable
  @inline(__always)
  package borrowing func fold<State: AggregateState, Prepared, Garbage>(
    _ event: State.Event,
    into state: UnsafePointer<State>,
    _ access: QueueAccess,
    prepare: () -> Prepared,
    note: (Prepared) -> Garbage
  ) throws(State.Rejection) {
    access.check()
    assert(isSettled, "An event is folded inside another one.")
    if State.Rejection.self == Never.self {
      // In place: however large the state is, an event costs what it changes.
      let garbage = access.change {
        mark(Self.changing) {
          let garbage = note(prepare())
          do throws(State.Rejection) { try access.changed(state).pointee.apply(event) } catch {}
          countFold()
          return garbage
        }
      }
      withExtendedLifetime(garbage) {}
    } else {
      access.lend()
      var changed = state.pointee
      var refusal: State.Rejection?
      let prepared = try mark(Self.applying) { () throws(State.Rejection) in
        let prepared = prepare()
        if Garbage.self == Void.self {
          // If it is refused, nothing has changed, and there is nothing to note.
          try changed.apply(event)
        } else {
          do throws(State.Rejection) { try changed.apply(event) } catch { refusal = error }
        }
        return prepared
      }
      let garbage = access.change {
        let garbage = mark(Self.changing) { note(prepared) }
        if refusal == nil {
          swap(&changed, &access.changed(state).pointee)
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
