import Streams
import Synchronization

/// The source of an emitter's actions, whatever its type.
struct EmitterSource: Sendable {
  /// Listens, and calls `handle` for one action after the other, with what brought it about. Returns at the end of the
  /// source.
  let read:
    @Sendable (
      _ listening: Listening,
      _ handle: @Sendable (any Action, CarriedCause) async throws -> Void
    ) async throws -> Void

  /// Makes the source of an asynchronous sequence.
  init<Source: AsyncSequence & Sendable>(_ sequence: Source) where Source.Element: Action {
    read = { listening, handle in
      listening.begin()
      for try await action in sequence { try await handle(action, .unknown) }
    }
  }

  /// Makes the source of an asynchronous sequence of any actions.
  init<Source: AsyncSequence & Sendable>(_ sequence: Source) where Source.Element == any Action {
    read = { listening, handle in
      listening.begin()
      for try await action in sequence { try await handle(action, .unknown) }
    }
  }

  /// Makes the source of an observable.
  ///
  /// Nothing can slow the sender of pushed values down, and an action must not be lost, so they wait without a bound.
  /// An observable may send as soon as it is subscribed to, and without an end. It has a task of its own, and the
  /// actions reach the reader through a relay.
  init<A: Action, Failure: Error>(_ observable: Observable<A, Failure>) {
    read = { listening, handle in
      let relay = Subject<(action: any Action, cause: CarriedCause), any Error>()
      var actions = relay.observable.values(buffering: .unbounded).makeAsyncIterator()
      AmbientExecutor.startTask {
        let heard: Observable<A, Failure> = observable.handleValues { action, observer in
          if listening.goesOn() { observer.send(action) } else { observer.end(.finished) }
        }
        let subscription = heard.subscribe {
          listening.pushed()
          relay.send(($0, .current))
        } onEnd: { end in
          switch end {
          case .finished: relay.finish()
          case .failed(let failure): relay.fail(failure)
          }
        }
        listening.begin(subscription)
      }
      while let emitted = try await actions.next() {
        listening.pulled()
        try await handle(emitted.action, emitted.cause)
      }
    }
  }
}

/// The beginning and the end of listening to a source.
///
/// Safe to share: the parts that change are atomic or behind the lock, and a subscription is cancelled after unlocking.
final class Listening: Sendable {
  private let hasBegun = Latch()
  private let isStopped = Atomic<Bool>(false)
  private let subscription = Lock<Subscription?>(nil)
  /// The number of actions that a source has pushed, and that have not been read.
  private let waiting = Atomic<Int>(0)
  private let alarm = GrowthAlarm()
  private let onGrowth: @Sendable () -> Void

  /// - Parameter onGrowth: called once, when so many actions wait that it is to be reported.
  init(onGrowth: @escaping @Sendable () -> Void) {
    self.onGrowth = onGrowth
  }

  func pushed() {
    if alarm.rings(at: waiting.add(1, ordering: .relaxed).newValue) { onGrowth() }
  }

  func pulled() { waiting.subtract(1, ordering: .relaxed) }

  /// The source has been opened. What it sends from now on is not lost.
  func begin(_ subscription: Subscription? = nil) {
    self.subscription.exchange(with: subscription)
    hasBegun.open()
    if isStopped.load(ordering: .acquiring) { stop() }
  }

  /// A source that sends while it is subscribed to has been opened, although the call that subscribes has not returned.
  ///
  /// - Returns: `false` if it should end.
  func goesOn() -> Bool {
    hasBegun.open()
    return !isStopped.load(ordering: .acquiring)
  }

  /// Returns when the source has been opened, or when the task is cancelled.
  func waitUntilBegun() async {
    await withTaskCancellationHandler {
      await hasBegun.wait()
    } onCancel: {
      hasBegun.open()
    }
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    subscription.exchange(with: nil)?.cancel()
  }
}

/// An emitter at its place in the tree.
struct Emission: Sendable {
  let source: EmitterSource
  let isConsumedAtBootstrap: Bool
  let send: Send
  /// The number of the place whose services get the actions.
  let branch: Int
  /// The name of the place in diagnostics.
  let place: String
}
