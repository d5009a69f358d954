/// A mistake, with names and the remedy, as `Bootstrap(diagnostics:)` reports it.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ServiceDiagnostic: Error, CustomStringConvertible {
  /// An action was sent, and no service names its type.
  case unhandledAction(action: String)

  /// A store has no model of its type above it; `available` are those that are there.
  case missingModel(model: String, store: String, available: [String])

  /// One service was given two models of one type. The inner one is used.
  case ambiguousModel(model: String, place: String)

  /// A model was handed in, and no store takes it.
  case unusedModel(model: String, place: String)

  /// A service asks for an object that is not in its environment.
  case missingEnvironmentObject(object: String, service: String)

  /// A state is watched, and no reducer has it.
  case unusedWatcher(state: String, place: String)

  /// A service contains itself.
  case endlessBody(service: String)

  /// The stream of an emitter failed. It has ended.
  case emitterFailed(place: String, error: any Error)

  /// An action of an emitter failed. The next one follows.
  case emittedActionFailed(action: String, place: String, error: any Error)

  /// Several services failed at the same time. `send` threw the first error; this is another one.
  case furtherError(action: String, error: any Error)

  /// A teardown threw. The others ran.
  case teardownFailed(place: String, error: any Error)

  /// 65,536 actions wait at one place that has no bound. It is reported once for each place.
  case lineGrown(place: String)

  /// Is `true` if the mistake leaves part of the tree dead. `Bootstrap` throws such a mistake if it was given no
  /// `diagnostics`.
  public var isFatal: Bool {
    switch self {
    case .missingModel, .ambiguousModel, .endlessBody: true
    default: false
    }
  }

  /// What is written once if there are no `diagnostics`: the mistake and its place, without the error of this time.
  var kind: String {
    switch self {
    case .emitterFailed(let place, _): "emitter \(place)"
    case .emittedActionFailed(let action, let place, _): "emitted \(action) \(place)"
    case .furtherError(let action, _): "further \(action)"
    case .teardownFailed(let place, _): "teardown \(place)"
    default: description
    }
  }

  /// The problem, its effect, and the remedy.
  public var description: String {
    switch self {
    case .unhandledAction(let action):
      """
      \(action) was sent, and no service handles it: nothing happened. Add `.mutate(on: \(action).self)` to a store, or a \
      reducer of \(action), or check where it is sent.
      """
    case .missingModel(let model, let store, let available):
      """
      \(store) has no model, so it ignores all actions. Add `.with(model:)` with a value of type \(model) to it or to a \
      service around it. \(Self.list(available))
      """
    case .ambiguousModel(let model, let place):
      """
      Two models of type \(model) were given to one service in \(place). The inner one is used. Remove the other one.
      """
    case .unusedModel(let model, let place):
      """
      A model of type \(model) was given in \(place), and no store under it takes it. Remove it, or check the type: it is \
      the static one, so a protocol needs `as any …`.
      """
    case .missingEnvironmentObject(let object, let service):
      """
      \(service) asks for an object of type \(object), and none is in its environment: it reads nil. Add \
      `.environmentObject(…)` to it or to a service around it.
      """
    case .unusedWatcher(let state, let place):
      """
      \(state) is watched in \(place), and no reducer under it has this state: the watcher is never called. Move the \
      watcher, or check the type.
      """
    case .endlessBody(let service):
      """
      The body of \(service) leads to \(service) again, and so on. It was cut off. Let it end with a store, a reducer or a \
      group.
      """
    case .emitterFailed(let place, let error):
      """
      The stream of an emitter in \(place) failed and has ended: \(error). Recover in the stream if it should go on.
      """
    case .emittedActionFailed(let action, let place, let error):
      """
      \(action), emitted in \(place), failed: \(error). The emitter goes on. Add `.transformError { … }` to handle it.
      """
    case .furtherError(let action, let error):
      """
      Several services failed at \(action). `send` threw the first error; this is another one: \(error). Add \
      `.transformError { … }` to handle each.
      """
    case .teardownFailed(let place, let error):
      """
      A teardown in \(place) failed: \(error). The others ran. Handle the error there.
      """
    case .lineGrown(let place):
      """
      So many actions wait in \(place) that memory grows: they come faster than they are handled, or a handler hangs. Wait \
      for each `send` before the next one, feed an emitter from an asynchronous sequence, which waits, or give the service \
      another policy or a time limit.
      """
    }
  }

  private static func list(_ models: [String]) -> String {
    models.isEmpty ? "There is none of any type." : "There are: \(models.joined(separator: ", "))."
  }
}

/// A reason why a cluster did not take an action.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ClusterError: Error, Hashable, CustomStringConvertible {
  /// `\.send` was used outside of any cluster.
  case noCluster

  /// An action was sent while the tree was still being built.
  case notReady

  /// ``Cluster/shutdown()`` was called before the action was sent.
  case shutDown

  /// The cluster does not exist any more.
  case released

  /// The problem and the remedy.
  public var description: String {
    switch self {
    case .noCluster:
      "There is no cluster around. Put the service in a `Bootstrap { … }`, or give it `.environment(\\.send, …)`."
    case .notReady:
      "The cluster is still being built. Send from `.bootstrap { … }`, which runs as soon as it can take actions."
    case .shutDown:
      "The cluster was shut down and takes no more actions. Send before `shutdown()`, or make a new cluster."
    case .released:
      "The cluster has been released. Keep the `Cluster` for as long as actions are sent to it."
    }
  }
}
