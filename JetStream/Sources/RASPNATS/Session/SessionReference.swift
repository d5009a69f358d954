import NIOCore
import Streams

/// A session as callers on any thread have it. They put commands into its outbox; the session itself is reached on its
/// event loop only, which the box checks.
struct SessionReference: Sendable {
  let options: NATSOptions
  let loop: any EventLoop
  let outbox: Outbox
  let status: Subject<NATSStatus, Never>
  let problems: Subject<NATSError, Never>
  private let session: NIOLoopBoundBox<Session>

  init(_ session: sending Session) {
    options = session.options
    loop = session.loop
    outbox = session.outbox
    status = session.status
    problems = session.problems
    self.session = .makeBoxSendingValue(session, eventLoop: loop)
  }

  /// Does something with the session, on its event loop.
  func onLoop(_ body: @escaping @Sendable (Session) -> Void) {
    loop.execute { [session] in body(session.value) }
  }

  /// Puts a command in, and has the session take it.
  ///
  /// - Returns: whether the caller should wait for capacity.
  @discardableResult
  func put(_ command: SessionCommand, bytes: Int = 0) throws(NATSError) -> Bool {
    let (wakes, waits) = try outbox.put(command, bytes: bytes)
    if wakes { onLoop { $0.drain() } }
    return waits
  }

  /// Puts a command in that ends something.
  ///
  /// - Returns: `false` if the session is closed, so that there is nothing to end.
  @discardableResult
  func putEnd(_ command: SessionCommand) -> Bool { (try? put(command)) != nil }
}
