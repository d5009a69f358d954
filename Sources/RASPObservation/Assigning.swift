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
  @inlinable
  @MainActor
  public func assign<Target: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Target, Field>,
    on target: Target
  ) -> Subscription {
    Assignment(target) { $0[keyPath: keyPath] = $1 }.follow(observable, current: { current })
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
  @inlinable
  @MainActor
  public func assign<Target: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Target, Field?>,
    on target: Target
  ) -> Subscription {
    Assignment(target) { $0[keyPath: keyPath] = $1 }.follow(observable, current: { current })
  }
}
