import Streams
import Synchronization

/// One action that a reducer folds, and what that leads to. It does not know the type of the action, so that an action
/// looks up no types.
///
/// Safe to share: the outcome is behind the lock, and whether there is one is atomic.
final class Folding: Sendable {
  private struct Outcome: Sendable {
    var notices: [Notice] = []
    var effect: EffectRunner.Effect?
    /// The sender, if it waits.
    var waiter: UnsafeContinuation<Void, Never>?
  }

  let action: any Action
  private let outcome = Lock(Outcome())
  private let wasReduced = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)

  init(_ action: any Action) {
    self.action = action
  }

  /// Returns `true` to the first one that folds the action, which is the aggregator. A tape and a replay fold it again,
  /// into a state of their own. That causes nothing.
  func begin() -> Bool { !wasReduced.exchange(true, ordering: .relaxed) }

  /// Puts down what the fold has led to, for the sender.
  func end(_ notices: [Notice], _ effect: EffectRunner.Effect?) {
    let waiter = outcome.withLock { outcome in
      outcome.notices = notices
      outcome.effect = effect
      isOver.store(true, ordering: .releasing)
      return outcome.waiter.take()
    }
    waiter?.resume()
  }

  /// Is `true` if the action has been folded.
  var isFolded: Bool { isOver.load(ordering: .acquiring) }

  /// Returns when the action has been folded. One task may wait.
  func waitUntilFolded() async {
    await withUnsafeContinuation { waiter in
      let isFolded = outcome.withLock { outcome in
        if !self.isFolded { outcome.waiter = waiter }
        return self.isFolded
      }
      if isFolded { waiter.resume() }
    }
  }

  /// Takes the calls of the watchers and the side effect, when the action has been folded.
  func take() -> (notices: [Notice], effect: EffectRunner.Effect?) {
    outcome.withLock { outcome in
      defer { outcome = Outcome() }
      return (outcome.notices, outcome.effect)
    }
  }
}
