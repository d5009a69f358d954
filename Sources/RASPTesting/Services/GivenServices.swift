public import RASPServices
import Streams
public import Testing

/// Tests services by the actions they send and the errors they throw.
///
///     await given { NotificationService() }
///       .when(AccountAction.login("Kim"))
///       .then(sent: [ArticlesAction.load])
///
/// - Parameter services: the tree. It is read anew for each `when`.
/// - Returns: the tree, ready to be sent actions. Nothing runs yet.
public func given<Services: Service>(
  @ServiceBuilder _ services: @escaping @MainActor () -> Services
) -> ServicesUnderTest<Void> {
  ServicesUnderTest(
    before: (),
    tree: { reading in
      reading.note(())
      return services()
    }
  )
}

/// Tests services by what becomes of a model.
///
///     await given(model: Identity()) { IdentityService() }
///       .when(IdentityAction.login("Kim"))
///       .then(sent: [ArticlesAction.load]) { $0.name = "Kim" }
///
/// The model is given to the tree with `.with(model:)`. At the end it is read with an action of the kit's own. Handlers
/// of every action, such as `.observe { … }` without a type, get that one too.
///
/// - Parameters:
///   - model: the model before. Its static type is the one that the stores name.
///   - services: the tree. It is read anew for each `when`.
/// - Returns: the tree, ready to be sent actions. Nothing runs yet.
public func given<Model: Sendable, Services: Service>(
  model: Model,
  @ServiceBuilder _ services: @escaping @MainActor () -> Services
) -> ServicesUnderTest<Model> {
  ServicesUnderTest(
    before: model,
    closing: { try await $0.send(action: ModelReading(of: Model.self)) },
    tree: { reading in
      Group {
        services()
        Store(model: Model.self).mutate(on: ModelReading<Model>.self) { model, _, _ in reading.note(model) }
      }
      .with(model: model)
    }
  )
}

/// Tests services by what becomes of the state of a reducer.
///
///     await given(state: Articles.self) { Reducer(state: Articles(), context: api, reduce: Reducers.articles) }
///       .when(ArticlesAction.load)
///       .then(sent: [ArticlesAction.loaded(3)]) { $0.count = 3 }
///
/// - Parameters:
///   - state: the type of the state. Of several reducers with this state the tree should hold one.
///   - services: the tree. It is read anew for each `when`.
/// - Returns: the tree, ready to be sent actions. Nothing runs yet.
public func given<State: Sendable, Services: Service>(
  state: State.Type,
  @ServiceBuilder _ services: @escaping @MainActor () -> Services
) -> ServicesUnderTest<State> {
  ServicesUnderTest(
    before: nil,
    tree: { reading in services().watch(State.self) { reading.note($0) } }
  )
}

/// A tree of services that actions are sent to: see ``given(model:_:)``, ``given(state:_:)`` and
/// ``given(_:)->ServicesUnderTest<Void>``.
///
/// It is a value: one tree serves several cases, each in a cluster of its own.
public struct ServicesUnderTest<Model: Sendable>: Sendable {
  typealias Tree = @MainActor @Sendable (ModelHistory<Model>) -> any Service

  private let before: Model?
  private let closing: @Sendable (Cluster) async throws -> Void
  private let tree: Tree

  init(before: Model?, closing: @escaping @Sendable (Cluster) async throws -> Void = { _ in }, tree: @escaping Tree) {
    self.before = before
    self.closing = closing
    self.tree = tree
  }

  /// Starts a cluster, sends it these actions, one after the other, and shuts it down.
  ///
  /// The actions that the services send are recorded and sent on, as in an application. An action that fails does not
  /// keep the next one from being sent.
  ///
  /// A mistake that leaves part of the tree dead, such as a store without a model, is reported as an issue of the
  /// running test.
  ///
  /// - Ordering: the next action is sent when the services are done with the one before it.
  /// - Concurrency: the tree is read on the main actor. Handlers run where they run in an application.
  /// - Errors: none are thrown; errors of starting the cluster and of the services are part of the result.
  ///
  /// - Parameters:
  ///   - actions: the actions to send.
  ///   - sourceLocation: the source location to report at.
  /// - Returns: the result, to be compared with the expected one.
  public func when(
    _ actions: any Action...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> ServicesResult<Model> {
    await when(actions, sourceLocation: sourceLocation)
  }

  /// Does the same as ``when(_:sourceLocation:)-(Action...,_)`` with the actions of a list.
  ///
  /// - Parameters:
  ///   - actions: the actions to send.
  ///   - sourceLocation: the source location to report at.
  /// - Returns: the result.
  public func when(
    _ actions: [any Action],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> ServicesResult<Model> {
    let (sent, problems, history) = (ActionRecorder(), DiagnosticRecorder(), ModelHistory<Model>())
    var errors: [any Error] = []
    do {
      let cluster = try await Cluster(diagnostics: problems.record) {
        tree(history).recordingActions(in: sent)
      }
      for action in actions {
        do { try await cluster.send(action: action) } catch { errors.append(error) }
      }
      do { try await closing(cluster) } catch { errors.append(error) }
      await cluster.shutdown()
    } catch {
      errors.append(error)
    }
    for problem in problems.diagnostics where problem.isFatal {
      Reporter.current.report("\(problem)", at: sourceLocation)
    }
    return ServicesResult(
      before: before ?? history.first,
      model: history.last,
      actions: sent.actions,
      errors: errors,
      diagnostics: problems.diagnostics
    )
  }
}

/// The states that a model or a reducer was seen in.
final class ModelHistory<Model: Sendable>: Sendable {
  private let seen = Lock<[Model]>([])

  var first: Model? { seen.withLock(\.first) }
  var last: Model? { seen.withLock(\.last) }

  func note(_ model: Model) {
    seen.withLock { $0.append(model) }
  }
}

/// The action that the kit sends to read a model.
private struct ModelReading<Model: Sendable>: Action {
  init(of type: Model.Type) {}
}
