import RASPServices
import ServiceLifecycle

import protocol ServiceLifecycle.Service

/// A cluster as one of the services of a server: it is shut down with the others, and what it does then is awaited.
struct ClusterService: Service {
  let cluster: Cluster

  func run() async throws {
    try? await gracefulShutdown()  // fails when the task is cancelled, which is a reason to shut down as well
    await cluster.shutdown()
  }
}
