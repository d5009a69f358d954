public import Streams

/// An event that any interested state may pick out of a stream of `any AggregateEvent`.
///
///     struct LinkOpened: AggregateEvent { let url: String }
///
///     struct LinkState: AggregateState {
///       var urls: [String] = []
///
///       mutating func apply(_ event: any AggregateEvent) {
///         if let event = event as? LinkOpened { urls.append(event.url) }
///       }
///     }
///
/// The protocol is a marker without requirements.
public protocol AggregateEvent: Sendable {}

extension ObservableConvertible where Element: AggregateEvent {
  /// Sends the same events, for a state that takes `any AggregateEvent`.
  ///
  /// - Complexity: O(1) per event.
  @inlinable
  public func asAggregateEvents() -> Observable<any AggregateEvent, Failure> {
    map { $0 }
  }
}
