import Streams

/// The fate of an event that was submitted to an aggregator; see ``Aggregator/submit(_:isolation:)``.
public enum Submission: Sendable, Hashable {
  /// The event has been folded, and all subscribers it concerns have been told.
  case folded

  /// The aggregator had finished, and the event was not folded.
  case finished

  /// The task was cancelled and gave up the wait alone: the event is still folded, behind those that wait before it.
  case cancelled
}

/// The answer that one task waits for when it has submitted an event.
///
/// Safe to share: the phase is behind the lock. The continuation is resumed after unlocking by the call that settles,
/// of which only the first counts.
@usableFromInline
package final class Receipt<Rejection: Error>: Sendable {
  @usableFromInline
  package enum Outcome: Sendable {
    case decided(Submission)
    case refused(Rejection)
  }

  /// The outcome of an event that was folded at once, or the receipt of one that waits.
  @usableFromInline package typealias Answer = (now: Outcome?, later: Receipt?)

  @usableFromInline
  enum Phase: Sendable {
    case open
    case waiting(CheckedContinuation<Outcome, Never>)
    case settled(Outcome)
  }

  @usableFromInline let phase = Lock(Phase.open)

  @inlinable
  package init() {}

  @inlinable
  package func settle(_ outcome: Outcome) {
    let waiting = phase.withLock { phase -> CheckedContinuation<Outcome, Never>? in
      switch phase {
      case .settled: return nil
      case .open:
        phase = .settled(outcome)
        return nil
      case .waiting(let continuation):
        phase = .settled(outcome)
        return continuation
      }
    }
    waiting?.resume(returning: outcome)
  }

  @inlinable
  package func outcome(isolation: isolated (any Actor)?) async -> Outcome {
    // The usual case: the queue was idle, and all is done.
    if case .settled(let outcome) = phase.withLock({ $0 }) { return outcome }
    return await wait(isolation: isolation)
  }

  @usableFromInline
  func wait(isolation: isolated (any Actor)?) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let settled = phase.withLock { phase -> Outcome? in
          if case .settled(let outcome) = phase { return outcome }
          assert({ if case .open = phase { true } else { false } }(), "Two tasks wait for one receipt.")
          phase = .waiting(continuation)
          return nil
        }
        if let settled { continuation.resume(returning: settled) }
      }
    } onCancel: {
      settle(.decided(.cancelled))
    }
  }
}

extension Receipt {
  /// The fate of an event that was submitted.
  ///
  /// - Parameters:
  ///   - now: the outcome, if the queue was idle and the event has been folded at once: the usual case.
  ///   - later: the receipt of an event that waits.
  @inlinable
  @inline(__always)
  package static func submission(
    _ now: Outcome?,
    or later: Receipt?,
    isolation: isolated (any Actor)?
  ) async throws(Rejection) -> Submission {
    var outcome = now
    if let later { outcome = await later.outcome(isolation: isolation) }
    switch outcome {
    case .decided(let submission): return submission
    case .refused(let reason): throw reason
    case nil: return .finished
    }
  }
}
