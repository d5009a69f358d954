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
/// The cluster's diagnostics about mistakes in the tree are reported as issues of the running test, unless
/// `diagnostics` takes them.
///
/// - Ordering: when this returns, everything that the cluster was doing is done and the teardowns have run.
/// - Errors: throws what starting the cluster throws, and then what `body` throws.
///
/// - Parameters:
///   - diagnostics: takes the diagnostics, for a test that expects some.
///   - services: the tree.
///   - actor: the actor that `body` runs on: that of the caller.
///   - sourceLocation: the source location to report at.
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

/// Writes down the diagnostics of a cluster about mistakes in its tree.
///
///     let problems = DiagnosticRecorder()
///     let cluster = try await Bootstrap(diagnostics: problems.record) { … }
///     problems.diagnostics
///
/// - Concurrency: every member may be called from any thread.
public final class DiagnosticRecorder: Sendable {
  private let list = Lock<[ServiceDiagnostic]>([])

  /// Makes a recorder that has seen nothing.
  public init() {}

  /// All diagnostics so far, in order.
  public var diagnostics: [ServiceDiagnostic] { list.withLock { $0 } }

  /// Writes down one diagnostic.
  public func record(_ diagnostic: ServiceDiagnostic) {
    list.withLock { $0.append(diagnostic) }
  }
}
