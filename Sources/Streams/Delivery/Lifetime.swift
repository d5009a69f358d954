import Synchronization

/// Something that a lifetime tells of its end.
@usableFromInline
package protocol LifetimeEnding: AnyObject, Sendable {
  var lifetime: Lifetime { get }
  func lifetimeEnded()
}

/// The lifetime of one subscription: it is active until its first end or its first cancellation, whichever comes first.
///
/// One lifetime serves a whole chain of single-input operators. Every stage asks it before it calls a closure
/// (contract, rules 1 and 6), and the source registers here what is to be done when the chain is over (rule 7).
///
/// Safe to share: the flags are atomic and change once, and what is done at the end is behind the lock.
@usableFromInline
package final class Lifetime: Sendable {
  @usableFromInline
  typealias Teardown = @Sendable () -> Void

  /// One thing that is done at the end. For most lifetimes this is to tell the observer of a source with many, which
  /// needs no closure.
  private enum Step: Sendable {
    case tell(any LifetimeEnding)
    case run(Teardown)
    /// Ends the lifetime of an input.
    case end(Lifetime)

    func perform(cuttingOff isCutOff: Bool) {
      switch self {
      case .tell(let object): object.lifetimeEnded()
      case .run(let teardown): teardown()
      case .end(let input): input.terminate(cuttingOff: isCutOff)
      }
    }

    func ends(_ input: Lifetime) -> Bool {
      if case .end(let other) = self { other === input } else { false }
    }
  }

  /// What is done at the end. Most lifetimes have one step, which needs no array.
  private struct Steps: Sendable {
    var first: Step?
    /// `nil` once all have been done.
    var others: [Step]? = []
  }

  @usableFromInline let terminated = Atomic<Bool>(false)
  private let cutOff = Atomic<Bool>(false)
  private let detached = Atomic<Bool>(false)
  private let steps: Lock<Steps>

  @usableFromInline
  package init() { steps = Lock(Steps()) }

  /// Makes a lifetime of which one teardown is known, with no lock to be taken for it.
  init(_ teardown: @escaping Teardown) { steps = Lock(Steps(first: .run(teardown))) }

  /// Makes a lifetime that ends with its parent at the latest, for one input of an operator that has several, at once
  /// or one after the other.
  ///
  /// The parent keeps a reference to it until the parent ends, or until ``end(_:)`` is called. So inputs whose number
  /// is not fixed are ended by the parent.
  @usableFromInline
  package convenience init(within parent: Lifetime) {
    self.init()
    parent.keepOrPerform(.end(self))
  }

  @inlinable
  package var isActive: Bool {
    @inline(__always) get { !terminated.load(ordering: .acquiring) }
  }

  /// Is `true` if a failure has ended the lifetime that was not its own, such as that of another input of a merge. What
  /// was accepted before, and still waits, is lost then.
  @usableFromInline
  package var isCutOff: Bool { cutOff.load(ordering: .acquiring) }

  /// Is `true` if the release of the subscription does not end the lifetime.
  var isDetached: Bool { detached.load(ordering: .acquiring) }

  /// Lets the lifetime go on when the subscription is released.
  func detach() {
    detached.store(true, ordering: .releasing)
  }

  /// Ends the lifetime.
  ///
  /// - Parameter isFailure: whether a failure ends it that is not its own.
  /// - Returns: `true` to the first caller, after the teardowns have run in the order in which they were registered.
  @usableFromInline
  @discardableResult
  package func terminate(cuttingOff isFailure: Bool = false) -> Bool {
    if isFailure, isActive { cutOff.store(true, ordering: .releasing) }
    guard
      terminated.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    else { return false }
    let former = steps.exchange(with: Steps(others: nil))
    assert(former.others != nil, "The teardowns of a lifetime ran twice.")
    former.first?.perform(cuttingOff: isCutOff)
    for step in former.others ?? [] { step.perform(cuttingOff: isCutOff) }
    return true
  }

  /// Ends the lifetime of an input that was made within this one, and keeps nothing of it.
  @usableFromInline
  func end(_ input: Lifetime) {
    let former = steps.withLock { steps in
      let former = steps
      if steps.first?.ends(input) == true { steps.first = nil }
      steps.others = steps.others?.filter { !$0.ends(input) }
      return former
    }
    input.terminate()
    // What was kept is released after unlocking.
    withExtendedLifetime(former) {}
  }

  /// Runs `teardown` once: when the lifetime ends, or now if it has ended.
  @usableFromInline
  package func onTermination(_ teardown: @escaping @Sendable () -> Void) {
    keepOrPerform(.run(teardown))
  }

  /// Tells an object once: when the lifetime ends, or now if it has ended. Until then the object is kept alive.
  @usableFromInline
  package func onTermination(_ object: any LifetimeEnding) {
    keepOrPerform(.tell(object))
  }

  private func keepOrPerform(_ newcomer: Step) {
    let isKept = steps.withLock { steps in
      if steps.others == nil { return false }
      if steps.first == nil, steps.others?.isEmpty == true {
        steps.first = newcomer
      } else {
        steps.others?.append(newcomer)
      }
      return true
    }
    if !isKept { newcomer.perform(cuttingOff: isCutOff) }
  }
}
