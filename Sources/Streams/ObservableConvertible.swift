/// A source of a stream: an ``Observable`` itself, or something that has one, like a ``Subject``.
///
/// All operators belong to this protocol, so they can be called on whatever conforms to it.
///
///     let keys = Subject<Character, Never>()
///     let words = keys.debounce(for: .milliseconds(300)).map { … }
///
/// A type of your own that has one stream conforms by giving it as ``observable``.
public protocol ObservableConvertible<Element, Failure> {
  /// The type of the values.
  associatedtype Element: Sendable

  /// The type of the failure; `Never` for a stream that cannot fail.
  associatedtype Failure: Error

  /// The stream.
  ///
  /// - Complexity: O(1).
  var observable: Observable<Element, Failure> { get }
}

extension Observable: ObservableConvertible {
  /// The stream itself.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var observable: Observable { self }
}
