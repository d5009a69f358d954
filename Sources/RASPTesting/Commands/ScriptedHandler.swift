public import RASPCommands
public import Streams

/// A handler that does what a test tells it: answers, fails, takes its time, or never answers.
///
///     let handler = ScriptedHandler(
///       BookList.self, on: time,
///       .answering(["Momo"]).publishing(.progress).after(.seconds(2)), .failing(Offline()), .never
///     )
///     try engine.use(handler)
///
///     let execution = engine.execute(BookList())
///     await handler.waitUntilAsked()      // now it waits for the two seconds
///     time.advance(by: .seconds(2))
///     await execution.wait()              // .handled(["Momo"])
///     handler.commands                    // [BookList()]
///
/// Each command gets the next reply, and every command after the last reply gets that one again.
///
/// - Concurrency: every member may be called from any thread. Cancelling an execution ends its reply with a
///   `CancellationError`.
public final class ScriptedHandler<Handled: Command>: CommandHandler {
  /// The reply of the handler to one command.
  public struct Reply: Sendable {
    fileprivate enum Ending: Sendable {
      case output(Handled.Output)
      case failure(any Error)
      case never
    }

    fileprivate let ending: Ending
    fileprivate var events: [CommandEvent<Handled>] = []
    fileprivate var delay = Duration.zero

    /// Returns a result.
    public static func answering(_ output: Handled.Output) -> Reply { Reply(ending: .output(output)) }

    /// Throws an error.
    public static func failing(_ error: any Error) -> Reply { Reply(ending: .failure(error)) }

    /// Neither returns nor throws, until the execution is cancelled.
    public static var never: Reply { Reply(ending: .never) }

    /// The same reply, which publishes these events as soon as the command comes.
    public func publishing(_ events: CommandEvent<Handled>...) -> Reply {
      var reply = self
      reply.events += events
      return reply
    }

    /// The same reply, this much later on the handler's scheduler. Without one it is not delayed.
    public func after(_ delay: Duration) -> Reply {
      var reply = self
      reply.delay = delay
      return reply
    }
  }

  private struct Asked: Sendable {
    var commands: [Handled] = []
    /// The number of commands that have come as far as their delay, or have their reply.
    var ready = 0
    var waiters: [(count: Int, latch: Latch)] = []
  }

  private let replies: [Reply]
  private let scheduler: (any Scheduler)?
  private let asked = Lock(Asked())

  /// A handler that has not been asked yet.
  ///
  /// - Parameters:
  ///   - command: the type of command that it handles.
  ///   - scheduler: the time that replies are delayed by, in tests a `VirtualScheduler`.
  ///   - first: the reply to the first command.
  ///   - more: the replies to the following commands.
  public init(_ command: Handled.Type, on scheduler: (any Scheduler)? = nil, _ first: Reply, _ more: Reply...) {
    replies = [first] + more
    self.scheduler = scheduler
  }

  /// The commands so far, in the order in which they came.
  public var commands: [Handled] { asked.withLock(\.commands) }

  /// Returns when `count` commands have come, and each has published its events and waits for its delay or has its
  /// reply. Then a test moves time on. It also returns when the task is cancelled.
  public func waitUntilAsked(_ count: Int = 1) async {
    let latch = Latch()
    let isReady = asked.withLock { asked in
      if asked.ready >= count { return true }
      asked.waiters.append((count, latch))
      return false
    }
    if isReady { return }
    await withTaskCancellationHandler {
      await latch.wait()
    } onCancel: {
      latch.open()
    }
  }

  /// Carries out a command as the next reply says.
  public func handle(_ command: Handled, publish: Publisher<Handled>) async throws -> Handled.Output {
    let index = asked.withLock { asked in
      asked.commands.append(command)
      return asked.commands.count - 1
    }
    let reply = replies[min(index, replies.count - 1)]
    for event in reply.events { publish(event) }

    if reply.delay > .zero, let scheduler {
      let wake = Latch()
      let timer = scheduler.schedule(at: scheduler.now.later(by: reply.delay)) { wake.open() }
      becomeReady()
      await withTaskCancellationHandler {
        await wake.wait()
      } onCancel: {
        timer.cancel()
        wake.open()
      }
    } else {
      becomeReady()
    }
    try Task.checkCancellation()

    switch reply.ending {
    case .output(let output): return output
    case .failure(let error): throw error
    case .never:
      let cancelled = Latch()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      throw CancellationError()
    }
  }

  private func becomeReady() {
    let latches = asked.withLock { asked in
      asked.ready += 1
      let due = asked.waiters.filter { $0.count <= asked.ready }.map(\.latch)
      asked.waiters.removeAll { $0.count <= asked.ready }
      return due
    }
    for latch in latches { latch.open() }
  }
}
