public import RASPServices
import Streams
public import Testing

/// Starts a cluster, hands it to `body`, and shuts it down at the end, also if `body` throws.
///
///     try await withCluster {
///       IdentityService().with(model: Identity())
///     } perform: { cluster in
///       try await cluster.send(action: IdentityAction.login("Kim"))
///     }
///
/// What the cluster has to say about mistakes in the tree is reported as issues of the running test, unless `diagnostics`
/// takes it.
///
/// - Ordering: when this returns, everything that was under way in the cluster is done and the teardowns have run.
/// - Errors: throws what starting the cluster throws, and then what `body` throws.
///
/// - Parameters:
///   - diagnostics: takes what the cluster has to say, for a test that expects something of it.
///   - services: the tree.
///   - actor: where `body` runs: where the caller runs.
///   - sourceLocation: where to report.
///   - body: uses the cluster.
/// - Returns: what `body` returned.
public func withCluster<Result>(
  diagnostics: DiagnosticRecorder? = nil,
  @ServiceBuilder _ services: @MainActor () -> some Service,
  isolation actor: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation,
  perform body: (Cluster) async throws -> Result
) async throws -> Result {
  let recorder = diagnostics ?? DiagnosticRecorder()
  // At the end and from here, because the task that a mistake is noticed in may not belong to the running test.
  defer {
    if diagnostics == nil {
      for diagnostic in recorder.diagnostics {
        Reporter.current.report("\(diagnostic)", at: sourceLocation)
      }
    }
  }
  let cluster = try await Cluster(diagnostics: recorder.record, content: services)
  do {
    let result = try await body(cluster)
    await cluster.shutdown()
    return result
  } catch {
    await cluster.shutdown()
    throw error
  }
}

/// Writes down what a cluster has to say about mistakes in its tree.
///
///     let problems = DiagnosticRecorder()
///     let cluster = try await Bootstrap(diagnostics: problems.record) { … }
///     problems.diagnostics
///
/// - Concurrency: safe from any thread.
public final class DiagnosticRecorder: Sendable {
  private let list = Lock<[ServiceDiagnostic]>([])

  /// A recorder that has seen nothing.
  public init() {}

  /// All diagnostics so far, in order.
  public var diagnostics: [ServiceDiagnostic] { list.withLock { $0 } }

  /// Writes down one diagnostic.
  public func record(_ diagnostic: ServiceDiagnostic) {
    list.withLock { $0.append(diagnostic) }
  }
}
