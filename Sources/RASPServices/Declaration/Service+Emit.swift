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
  /// A service that waits holds up the actions behind the one that it handles, unless `overlapping` says otherwise.
  /// Here each device has its actions one after the other, and none waits for another device:
  ///
  ///     Group { … }.emit(using: sensors, overlapping: .serial, by: \.device)
  ///
  /// - Ordering: one action at a time. The next one is read when the one before it is done, so a sequence is not read
  ///   faster than its actions are handled. With a key, or another policy than `OverlapPolicy.serial`, up to 1,024
  ///   actions are on their way at once, and only those of one key have an order.
  /// - Errors: an action that fails is reported as ``ServiceDiagnostic/emittedActionFailed(action:place:error:)``, and
  ///   the next one follows. A sequence that throws has ended, which is reported as
  ///   ``ServiceDiagnostic/emitterFailed(place:error:)``. If the emitter is consumed at bootstrap, both fail the
  ///   bootstrap.
  /// - Lifetime: the task that reads belongs to the cluster and does not keep it alive. It ends when the cluster is
  ///   shut down or released.
  /// - Parameters:
  ///   - stream: the source of the actions.
  ///   - consumeAtBootstrap: if `true`, `Bootstrap` returns only when the stream has ended and its actions are done.
  ///   - policy: what happens with an action that comes while another one is handled. One that is replaced is
  ///     cancelled, and one that is dropped reaches no service; neither is an error.
  ///   - key: tells actions apart: the policy holds among those whose keys are equal, and among those that have none.
  public func emit<Stream: AsyncSequence & Sendable>(
    using stream: Stream,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (Stream.Element) -> (any Hashable & Sendable)?)? = nil
  ) -> some Service where Stream.Element: Action {
    emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  /// Feeds the actions of an asynchronous sequence of any actions: see `emit(using:consumeAtBootstrap:overlapping:by:)`
  /// of one type.
  public func emit<Stream: AsyncSequence & Sendable>(
    using stream: Stream,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (any Action) -> (any Hashable & Sendable)?)? = nil
  ) -> some Service where Stream.Element == any Action {
    emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  /// Feeds the actions of an observable: see `emit(using:consumeAtBootstrap:overlapping:by:)` of a sequence.
  ///
  /// The observable has been subscribed to when `Bootstrap` returns. It is subscribed to off the main actor. Actions
  /// that arrive faster than they are handled wait in memory without a bound: if they come to be many, that is reported
  /// as ``ServiceDiagnostic/lineGrown(place:)``.
  public func emit<A: Action, Failure: Error>(
    using stream: Observable<A, Failure>,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (A) -> (any Hashable & Sendable)?)? = nil
  ) -> some Service {
    emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  /// Feeds the actions of an observable of any actions: see `emit(using:consumeAtBootstrap:overlapping:by:)` of one
  /// type.
  public func emit<Failure: Error>(
    using stream: Observable<any Action, Failure>,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (any Action) -> (any Hashable & Sendable)?)? = nil
  ) -> some Service {
    emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  fileprivate func emit(
    _ source: EmitterSource,
    _ isConsumedAtBootstrap: Bool,
    _ overlap: OverlapRule
  ) -> some Service {
    modified("emit") { placement, _ in
      placement.emitter = EmitterDeclaration(
        source: source,
        isConsumedAtBootstrap: isConsumedAtBootstrap,
        overlap: overlap
      )
    }
  }
}

/// Services, and a stream of actions that is fed to them: the same as `emit(using:consumeAtBootstrap:overlapping:by:)`
/// around a ``Group``.
///
///     Emitter(stream: ticks) {
///       ClockService()
///     }
public struct Emitter: Service {
  private let content: any Service

  /// Makes an emitter of an asynchronous sequence.
  public init<Stream: AsyncSequence & Sendable>(
    stream: Stream,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (Stream.Element) -> (any Hashable & Sendable)?)? = nil,
    @ServiceBuilder content: () -> some Service
  ) where Stream.Element: Action {
    self.content = content().emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  /// Makes an emitter of an asynchronous sequence of any actions.
  public init<Stream: AsyncSequence & Sendable>(
    stream: Stream,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (any Action) -> (any Hashable & Sendable)?)? = nil,
    @ServiceBuilder content: () -> some Service
  ) where Stream.Element == any Action {
    self.content = content().emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  /// Makes an emitter of an observable.
  public init<A: Action, Failure: Error>(
    stream: Observable<A, Failure>,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (A) -> (any Hashable & Sendable)?)? = nil,
    @ServiceBuilder content: () -> some Service
  ) {
    self.content = content().emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  /// Makes an emitter of an observable of any actions.
  public init<Failure: Error>(
    stream: Observable<any Action, Failure>,
    consumeAtBootstrap: Bool = false,
    overlapping policy: OverlapPolicy = .serial,
    by key: (@Sendable (any Action) -> (any Hashable & Sendable)?)? = nil,
    @ServiceBuilder content: () -> some Service
  ) {
    self.content = content().emit(EmitterSource(stream), consumeAtBootstrap, OverlapRule(policy, by: key))
  }

  /// The services, with the emitter around them.
  public var body: some Service { content }
}
