import Synchronization

/// The cause of what a task sends outside of all deliveries.
///
/// A task that is started in a delivery would inherit what the task around it was given. So that is taken away for the
/// time of the delivery.
///
/// Invariant: what a task was given inside of a delivery, with `perform`, is further inside than the delivery. So it is
/// what counts, wherever it is looked at.
@usableFromInline
enum TaskCause {
  @TaskLocal static var local = CarriedCause.none

  /// What the task on this thread was given; `none` if that is nothing.
  @inlinable static var current: CarriedCause { CauseWords.shared.causeOfTask }

  @usableFromInline static var bound: CarriedCause { local }

  @usableFromInline
  static func noteUse() {
    let words = CauseWords.shared
    if !words.isUsedByTasks.load(ordering: .relaxed) { words.isUsedByTasks.store(true, ordering: .relaxed) }
  }

  @usableFromInline
  static func bind<Result, Failure: Error>(
    _ cause: CarriedCause,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = $local.withValue(cause) { () -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

extension CauseWords {
  /// ``TaskCause/current``.
  @inlinable
  package var causeOfTask: CarriedCause {
    @inline(__always) get { isUsedByTasks.load(ordering: .relaxed) ? TaskCause.bound : .none }
  }
}

extension CauseWords {
  /// ``CarriedCause/present``.
  @inlinable
  package var present: CarriedCause {
    @inline(__always) get {
      let ofTask = causeOfTask
      if ofTask != .none { return ofTask }
      let delivered = slot.pointee
      return delivered == .none ? .unknown : delivered
    }
  }
}
