/// A reason why a cluster did not take an action.
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
