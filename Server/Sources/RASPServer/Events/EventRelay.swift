import Synchronization

/// What stands between the task that reads values and the reader of a stream of server-sent events.
///
/// The task reads a value only when the reader has asked, so that a slow reader gets the newest one. The reader may be
/// answered by a heartbeat meanwhile; the value that was asked for is then kept for its next question.
final class EventRelay<Value: Sendable, Failure: Error>: Sendable {
  enum Answer {
    case value(Value)
    case heartbeat
    case end(Failure?)
  }

  private struct State {
    var reader: CheckedContinuation<Answer, Never>?
    var source: CheckedContinuation<Bool, Never>?
    var isWanted = false
    var isBeatDue = false
    var kept: Value?
    var end: Failure??

    /// The answer that does not have to be waited for.
    mutating func take() -> Answer? {
      if let value = kept {
        kept = nil
        isBeatDue = false
        return .value(value)
      }
      return end.map(Answer.end)
    }
  }

  private let state = Mutex(State())

  /// Asks for a value, and waits. A task that is cancelled gets the end.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, source) = state.withLock { state -> (Answer?, CheckedContinuation<Bool, Never>?) in
          if let answer = state.take() { return (answer, nil) }
          assert(state.reader == nil, "two tasks read one iterator")
          state.isWanted = true
          if state.isBeatDue {
            state.isBeatDue = false
            return (.heartbeat, state.source.take())
          }
          state.reader = continuation
          return (nil, state.source.take())
        }
        source?.resume(returning: true)
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      finish(nil)
    }
  }

  /// Answers the reader. One that does not wait yet is answered when it comes, unless there is a value then.
  func beat() {
    let reader = state.withLock { state in
      if state.reader == nil { state.isBeatDue = true }
      return state.reader.take()
    }
    reader?.resume(returning: .heartbeat)
  }

  /// Waits until a value is wanted; `false` after the end.
  func isWanted() async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        if state.end != nil { return false }
        if state.isWanted { return true }
        state.source = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Gives the value that was wanted.
  func put(_ value: Value) {
    let reader = state.withLock { state in
      state.isWanted = false
      state.isBeatDue = false
      let reader = state.reader.take()
      if reader == nil, state.end == nil { state.kept = value }
      return reader
    }
    reader?.resume(returning: .value(value))
  }

  /// Ends the stream. The first end counts. A value that is kept is still given.
  func finish(_ failure: Failure?) {
    let (reader, source) = state.withLock { state in
      if state.end == nil { state.end = .some(failure) }
      return (state.reader.take(), state.source.take())
    }
    source?.resume(returning: false)
    reader?.resume(returning: .end(failure))
  }
}
