public import Streams

extension Service {
  /// Feeds the actions of an asynchronous sequence to the services under this one, for as long as the cluster lives.
  ///
  ///     Group { … }.emit(using: notifications)
  ///
  /// Services beside this one do not get the actions. To feed the whole cluster, put the modifier around all services.
  /// Modifiers around this place take part as they do for every action: observers see it, and errors are transformed.
  /// What a service sends in answer goes to the whole cluster.
  ///
  /// The actions are sent through `\.send`, so a test that replaces it gets them.
  ///
  /// - Ordering: one action at a time. The next one is read when the one before it is done, so a sequence is not read
  ///   faster than its actions are handled, and a service that waits holds up the actions behind.
  /// - Errors: an action that fails is reported as ``ServiceDiagnostic/emittedActionFailed(action:place:error:)``, and
  ///   the next one follows. A sequence that throws has ended, which is reported as
  ///   ``ServiceDiagnostic/emitterFailed(place:error:)``. If the emitter is consumed at bootstrap, both fail the
  ///   bootstrap.
  /// - Lifetime: the task that reads belongs to the cluster and does not keep it alive. It ends when the cluster is
  ///   shut down or released.
  /// - Parameters:
  ///   - stream: the source of the actions.
  ///   - consumeAtBootstrap: if `true`, `Bootstrap` returns only when the stream has ended and its actions are done.
  public func emit<Stream: AsyncSequence & Sendable>(
    using stream: Stream,
    consumeAtBootstrap: Bool = false
  ) -> some Service where Stream.Element: Action {
    emit(EmitterSource(stream), consumeAtBootstrap)
  }

  /// Feeds the actions of an asynchronous sequence of any actions: see `emit(using:consumeAtBootstrap:)` of one type.
  public func emit<Stream: AsyncSequence & Sendable>(
    using stream: Stream,
    consumeAtBootstrap: Bool = false
  ) -> some Service where Stream.Element == any Action {
    emit(EmitterSource(stream), consumeAtBootstrap)
  }

  /// Feeds the actions of an observable: see `emit(using:consumeAtBootstrap:)` of a sequence.
  ///
  /// The observable has been subscribed to when `Bootstrap` returns. It is subscribed to off the main actor. Actions
  /// that arrive faster than they are handled wait in memory without a bound: if they come to be many, that is reported
  /// as ``ServiceDiagnostic/lineGrown(place:)``.
  public func emit<A: Action, Failure: Error>(
    using stream: Observable<A, Failure>,
    consumeAtBootstrap: Bool = false
  ) -> some Service {
    emit(EmitterSource(stream), consumeAtBootstrap)
  }

  fileprivate func emit(_ source: EmitterSource, _ isConsumedAtBootstrap: Bool) -> some Service {
    modified("emit") { placement, _ in
      placement.emitter = EmitterDeclaration(source: source, isConsumedAtBootstrap: isConsumedAtBootstrap)
    }
  }
}

/// Services, and a stream of actions that is fed to them: the same as `emit(using:consumeAtBootstrap:)` around a
/// ``Group``.
///
///     Emitter(stream: ticks) {
///       ClockService()
///     }
public struct Emitter: Service {
  private let content: any Service

  /// Makes an emitter of an asynchronous sequence. For a sequence of `any Action`, and for an observable, call `emit`.
  public init<Stream: AsyncSequence & Sendable>(
    stream: Stream,
    consumeAtBootstrap: Bool = false,
    @ServiceBuilder content: () -> some Service
  ) where Stream.Element: Action {
    self.content = content().emit(EmitterSource(stream), consumeAtBootstrap)
  }

  /// The services, with the emitter around them.
  public var body: some Service { content }
}
