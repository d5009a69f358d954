import Streams

/// A source of an aggregator without the type of its failure, so that the code on the way of an event does not depend
/// on that type.
@usableFromInline
package struct AnySource<Event: Sendable>: Sendable {
  @usableFromInline package let id: SourceID
  /// The time in which it is a source: the subscription to it ends at the latest with this.
  @usableFromInline let membership = Lifetime()
  @usableFromInline
  let attach:
    @Sendable (
      _ lifetime: Lifetime,
      _ onEvent: @escaping @Sendable (Event) -> Void,
      _ onPacket: @escaping @Sendable ([Event]) -> Void,
      _ onEnd: @escaping @Sendable (StreamEnd<any Error>) -> Void,
      _ onAcknowledge: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> Void

  @inlinable
  package init<Failure: Error>(
    _ source: some ObservableConvertible<Event, Failure>,
    as id: SourceID = SourceID()
  ) {
    let source = source.observable
    self.id = id
    attach = { lifetime, onEvent, _, onEnd, onAcknowledge in
      source.attach(Self.observer(lifetime, onEvent, onEnd, onAcknowledge))
    }
  }

  /// A source whose values are events that arrived together.
  @inlinable
  package init<Failure: Error>(packets: some ObservableConvertible<[Event], Failure>) {
    let packets = packets.observable
    id = SourceID()
    attach = { lifetime, _, onPacket, onEnd, onAcknowledge in
      packets.attach(Self.observer(lifetime, onPacket, onEnd, onAcknowledge))
    }
  }

  /// The sources that are written as the arguments of one call.
  @inlinable
  @inline(__always)
  package static func list<each Failure: Error>(
    _ sources: repeat any ObservableConvertible<Event, each Failure>
  ) -> [AnySource] {
    var list: [AnySource] = []
    repeat list.append(AnySource((each sources).observable))
    return list
  }

  @inlinable
  @inline(__always)
  static func observer<Value: Sendable, Failure: Error>(
    _ lifetime: Lifetime,
    _ onValue: @escaping @Sendable (Value) -> Void,
    _ onEnd: @escaping @Sendable (StreamEnd<any Error>) -> Void,
    _ onAcknowledge: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> Observer<Value, Failure> {
    Observer(
      lifetime: lifetime,
      onValue: onValue,
      onEnd: { end in
        switch end {
        case .finished: onEnd(.finished)
        case .failed(let error): onEnd(.failed(error))
        }
      },
      onAcknowledge: onAcknowledge
    )
  }
}
