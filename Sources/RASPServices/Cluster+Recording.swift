public import RASPSupport
import Streams

extension Cluster: ActivitySource {
  /// What an insight records.
  public var _activity: _Activity { _Activity(.cluster, core.hook) }
}

// They are not inlined, so that an action that is not recorded has a small frame.
extension ClusterCore {
  /// The identity of an action: its own, if the cluster is recorded, otherwise that of its cause.
  @inline(never)
  func note<A: Action>(_ action: A, by cause: CarriedCause) -> CarriedCause {
    hook.note(.action, action, by: cause)
  }

  @inline(never)
  func noteEnd(of identity: CarriedCause, _ failures: Failures?) {
    let error = failures?.all.first?.error
    hook.noteEnd(of: identity, error.map { .failed($0) } ?? .handled)
  }

  /// Runs `body` as something that an action delivers.
  @inline(never)
  func deliver(as identity: CarriedCause, _ body: () throws -> Bool) rethrows -> Bool {
    try hook.deliver(as: identity, body)
  }
}
