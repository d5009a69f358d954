public import RASPServices
import Streams
public import Testing

/// A `send` that writes down the actions it is given, for services under test.
///
///     let recorder = ActionRecorder()
///     IdentityService().environment(\.send, recorder.send)   // written down, and sent no further
///     IdentityService().recordingActions(in: recorder)       // written down, and sent as without it
///
///     recorder.expect(ArticlesAction.load)
///
/// ``send`` can also be given to a side effect of a reducer as its `dispatch`, to test the side effect by itself.
///
/// - Concurrency: every member may be called from any thread.
public final class ActionRecorder: Sendable {
  private let list = Lock<[any Action]>([])
  private let onSend: Send

  /// Makes a recorder that has seen no action.
  ///
  /// - Parameter onSend: is called by ``send`` with each action, after it was written down. An error that it throws is
  ///   thrown to the sender, so a test can make sending fail.
  public init(onSend: @escaping Send = { _ in }) {
    self.onSend = onSend
  }

  /// Writes down an action, for `\.send` in an environment and for `dispatch` in a side effect.
  public var send: Send {
    { action in
      self.note(action)
      try await self.onSend(action)
    }
  }

  /// All actions so far, in the order in which they were sent.
  public var actions: [any Action] { list.withLock { $0 } }

  /// The actions of one type so far, in order.
  public func actions<Sent: Action>(of type: Sent.Type) -> [Sent] {
    actions.compactMap { $0 as? Sent }
  }

  /// Expects exactly these actions, in this order; anything else is reported as an issue of the running test, with both
  /// lists in one.
  ///
  /// Actions that are `Equatable` are compared with `==`, others, and what does not equal itself, by how they print.
  ///
  /// - Parameters:
  ///   - expected: the actions that should have been sent; none of them, if nothing should have been sent.
  ///   - sourceLocation: where to report.
  public func expect(_ expected: any Action..., sourceLocation: SourceLocation = #_sourceLocation) {
    if let difference = describeListDifference(of: "actions sent", expected: expected, observed: actions) {
      Reporter.current.report(difference, at: sourceLocation)
    }
  }

  fileprivate func note(_ action: any Action) {
    list.withLock { $0.append(action) }
  }
}

extension Service {
  /// Records each action that is sent by these services: by handlers, side effects, emitters and transformed errors.
  /// The action is sent on afterwards.
  ///
  /// The recorder's own `onSend` is not called. Actions of services that have a `\.send` of their own are not recorded.
  public func recordingActions(in recorder: ActionRecorder) -> some Service {
    transformEnvironment(\.send) { send in
      let inner = send
      send = { action in
        recorder.note(action)
        try await inner(action)
      }
    }
  }
}
