public import Aggregate
public import Streams

extension Selection {
  /// Keeps a property of an object of the main actor up to date: the way to a view of UIKit or AppKit.
  ///
  ///     tokens = [
  ///       geo.select(\.title).assign(to: \.text, on: titleLabel),
  ///       geo.select(\.isMoving).assign(to: \.isHidden, on: parkingSign),
  ///     ]
  ///
  /// The object is not kept. When it has gone, nothing is assigned any more.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the property.
  ///   - target: the object.
  /// - Returns: the token. Releasing it cancels, so keep it.
  /// - Ordering: the field is assigned before this returns. After that it is assigned once in each turn of the main
  ///   actor before which it has changed, and what is assigned is the newest.
  /// - Complexity: O(1) per change; one turn of the main actor for all changes until then.
  @MainActor
  public func assign<Target: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Target, Field>,
    on target: Target
  ) -> Subscription {
    Assignment(target) { $0[keyPath: keyPath] = $1 }.follow(self)
  }

  /// Keeps an optional property of an object of the main actor up to date, such as the text of a label.
  ///
  /// The object is not kept. When it has gone, nothing is assigned any more.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the property.
  ///   - target: the object.
  /// - Returns: the token. Releasing it cancels, so keep it.
  /// - Ordering: the field is assigned before this returns. After that it is assigned once in each turn of the main
  ///   actor before which it has changed, and what is assigned is the newest.
  /// - Complexity: O(1) per change; one turn of the main actor for all changes until then.
  @MainActor
  public func assign<Target: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Target, Field?>,
    on target: Target
  ) -> Subscription {
    Assignment(target) { $0[keyPath: keyPath] = $1 }.follow(self)
  }
}

/// Assigns the newest value to an object as long as there is one.
@MainActor
private final class Assignment<Target: AnyObject, Value: Sendable> {
  private weak var target: Target?
  private let assign: (Target, Value) -> Void
  private let mailbox = Mailbox<Value>()

  init(_ target: Target, _ assign: @escaping (Target, Value) -> Void) {
    self.target = target
    self.assign = assign
  }

  /// The subscription keeps this object, and this object does not keep the subscription.
  func follow(_ selection: Selection<Value>) -> Subscription {
    let (mailbox, signal) = (mailbox, TurnSignal())
    mailbox.open()
    let lifetime = Lifetime()
    let subscription = selection.subscribe { value in
      guard mailbox.deliver(value), signal.claim() else { return }
      Task(priority: .high) { @MainActor in
        signal.begin()
        guard lifetime.isActive else { return }
        self.assignNewest()
      }
    } onEnd: { _ in
      // Behind the turn of the last value.
      Task(priority: .high) { @MainActor in lifetime.terminate() }
    }
    lifetime.onTermination { subscription.cancel() }
    // While another thread delivers, the first value is on its way.
    assignNewest(or: selection.current)
    return Subscription(lifetime)
  }

  private func assignNewest(or other: @autoclosure () -> Value? = nil) {
    guard let value = mailbox.close() ?? other(), let target else { return }
    assign(target, value)
  }
}
