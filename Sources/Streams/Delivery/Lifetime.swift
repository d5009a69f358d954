import Synchronization

/// Something that a lifetime tells of its end.
@usableFromInline
package protocol LifetimeEnding: AnyObject, Sendable {
  func lifetimeEnded()
}

/// The lifetime of one subscription: it is active until its first end or its first cancellation, whichever comes first.
///
/// One lifetime serves a whole chain of single-input operators. Every stage asks it before it calls a closure
/// (contract, rules 1 and 6), and the source registers here what is to be done when the chain is over (rule 7).
///
/// Safe to share: the flag is atomic and changes once, and the teardowns are behind the lock.
@usableFromInline
package final class Lifetime: Sendable {
  @usableFromInline
  package typealias Teardown = @Sendable () -> Void

  /// What is done at the end. Most lifetimes have one teardown or two, which need no array, and most of those are the
  /// observer of a source with many, which needs no closure.
  private enum Teardowns: Sendable {
    case none
    case object(any LifetimeEnding)
    case one(Teardown)
    case many([Teardown])
    /// They have run.
    case done

    /// The one teardown that this is, as a closure.
    var only: Teardown {
      switch self {
      case .one(let teardown): teardown
      case .object(let object): { object.lifetimeEnded() }
      case .none, .many, .done: preconditionFailure("A lifetime has not one teardown, but none or several.")
      }
    }
  }

  @usableFromInline let terminated = Atomic<Bool>(false)
  private let teardowns = Lock(Teardowns.none)

  @usableFromInline
  package init() {}

  /// Makes a lifetime that ends with its parent at the latest, for one input of an operator that has several, at once
  /// or one after the other.
  ///
  /// The parent keeps a reference to it until the parent ends, so this is for inputs whose number is fixed.
  @usableFromInline
  package convenience init(within parent: Lifetime) {
    self.init()
    parent.onTermination { self.terminate() }
  }

  @inlinable
  package var isActive: Bool {
    @inline(__always) get { !terminated.load(ordering: .acquiring) }
  }

  /// Ends the lifetime.
  ///
  /// - Returns: `true` to the first caller, after the teardowns have run in the order in which they were registered.
  @usableFromInline
  @discardableResult
  package func terminate() -> Bool {
    guard
      terminated.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    else { return false }
    switch teardowns.exchange(with: .done) {
    case .none: break
    case .done: assertionFailure("The teardowns of a lifetime ran twice.")
    case .object(let object): object.lifetimeEnded()
    case .one(let teardown): teardown()
    case .many(let teardowns): for teardown in teardowns { teardown() }
    }
    return true
  }

  /// Runs `teardown` once: when the lifetime ends, or now if it has ended.
  @usableFromInline
  package func onTermination(_ teardown: @escaping Teardown) {
    if !keep(.one(teardown)) { teardown() }
  }

  /// Tells an object once: when the lifetime ends, or now if it has ended. Until then the object is kept alive.
  @usableFromInline
  package func onTermination(_ object: any LifetimeEnding) {
    if !keep(.object(object)) { object.lifetimeEnded() }
  }

  /// - Parameter newcomer: is one teardown.
  /// - Returns: `false` if the lifetime has ended.
  private func keep(_ newcomer: Teardowns) -> Bool {
    teardowns.withLock { teardowns in
      switch teardowns {
      case .none: teardowns = newcomer
      case .object, .one: teardowns = .many([teardowns.only, newcomer.only])
      case .many(var others):
        teardowns = .none
        others.append(newcomer.only)
        teardowns = .many(others)
      case .done: return false
      }
      return true
    }
  }
}
