import Streams

/// A value that only one task uses at a time, across every `await`. Tasks get it in the order of arrival, and a task
/// that waits does not block a thread.
///
/// A task that waits for the mutex while it has it waits for ever: the mutex is not reentrant.
///
/// Safe to share: `storage` is the one part that changes without a lock. Only a task that `queue` has let in touches
/// it, and it has left when the next one is let in: ``TicketQueue`` has at most one owner inside. A task leaves and is
/// let in under the lock, so each sees what the one before it wrote. A continuation is resumed after unlocking, by the
/// thread that took it out of the queue. The queue hands out each continuation once.
@usableFromInline
package final class AsyncMutex<Value: Sendable>: Sendable {
  /// A reserved position in the order. Its owner must use it once, or the tickets behind it are never served.
  @usableFromInline
  package struct Ticket: Sendable {
    @usableFromInline let number: Int
  }

  @usableFromInline let queue = AsyncTicketQueue()
  /// A value without a size, such as `Void`, has no address of its own in an object: the thread sanitizer would take a
  /// change of it for one of the object. So it stands beside something that has a size.
  @usableFromInline
  struct Storage {
    @usableFromInline var value: Value
    private let size: UInt8 = 0

    @usableFromInline
    init(_ value: Value) {
      self.value = value
    }
  }

  @usableFromInline nonisolated(unsafe) var storage: Storage

  @inlinable
  package init(_ value: Value) {
    storage = Storage(value)
  }

  /// Waits for the mutex, then runs `body` with the value to itself.
  ///
  /// - Ordering: tasks are let in as they call this or ``reserve()``.
  /// - Concurrency: `body` runs where the caller runs.
  /// - Errors: throws what `body` throws, after which the value is as `body` left it; `CancellationError`, without
  ///   calling `body`, if the task is cancelled while it waits. A task that need not wait is not asked whether it is
  ///   cancelled.
  /// - Complexity: O(1), without suspending, if no other task has the mutex or waits for it.
  @inlinable
  @inline(__always)  // Saves an asynchronous frame, which costs more than the rest of this.
  nonisolated(nonsending) package func withLock<Result>(
    _ body: nonisolated(nonsending) (inout Value) async throws -> Result
  ) async throws -> Result {
    if !queue.enterIfIdle() { try await queue.enter() }
    defer { queue.leave() }
    return try await body(&storage.value)
  }

  /// Runs `body` with the value to itself, without suspending, if no task has the mutex or waits for it.
  ///
  /// - Returns: `false` if one does. Then `body` was not called.
  /// - Errors: throws what `body` throws, after which the value is as `body` left it.
  @inlinable
  @inline(__always)
  package func withLockIfIdle(_ body: (inout Value) throws -> Void) rethrows -> Bool {
    guard queue.enterIfIdle() else { return false }
    defer { queue.leave() }
    try body(&storage.value)
    return true
  }

  /// Reserves the next position in the order, for ``withLock(_:_:)``.
  package func reserve() -> Ticket {
    Ticket(number: queue.draw())
  }

  /// Waits until the ticket is served, then runs `body` with the value to itself. Cancelling the task does not end the
  /// wait.
  @inlinable
  package func withLock<Result>(_ ticket: Ticket, _ body: (inout Value) async -> Result) async -> Result {
    await queue.enter(ticket.number)
    defer { queue.leave() }
    return await body(&storage.value)
  }
}

/// The order in which tasks get an ``AsyncMutex``, apart from the type of its value: so entering and leaving look up no
/// types.
@usableFromInline
final class AsyncTicketQueue: Sendable {
  /// Resumed when the ticket has been let in, or given up. It carries no answer: that would be written by one thread
  /// and read by another in an order that the thread sanitizer does not see.
  typealias Waiter = UnsafeContinuation<Void, Never>

  let tickets = Lock(TicketQueue<Waiter>())

  @usableFromInline
  init() {}

  func draw() -> Int {
    tickets.withLock { $0.draw() }
  }

  /// Draws a ticket and lets it in, if no ticket is inside or waits.
  ///
  /// - Returns: `false` if one does. Then no ticket was drawn.
  @usableFromInline
  func enterIfIdle() -> Bool {
    tickets.withLock { tickets in
      guard tickets.isIdle else { return false }
      _ = tickets.draw()
      return tickets.enter()
    }
  }

  /// Draws a ticket and returns when it is let in.
  @usableFromInline
  func enter() async throws(CancellationError) {
    let ticket: Int? = tickets.withLock { tickets in
      let isIdle = tickets.isIdle
      let ticket = tickets.draw()
      return isIdle && tickets.enter() ? nil : ticket
    }
    guard let ticket else { return }
    let isLetIn = await withTaskCancellationHandler {
      await wait(ticket)
    } onCancel: {
      tickets.withLock { $0.abandon(ticket) }?.resume()
    }
    if !isLetIn { throw CancellationError() }
  }

  /// Returns when a ticket that was drawn before is let in.
  @usableFromInline
  func enter(_ ticket: Int) async {
    let isLetIn = await wait(ticket)
    precondition(isLetIn, "A ticket was used twice")
  }

  @usableFromInline
  func leave() {
    tickets.withLock { $0.leave() }?.resume()
  }

  private func wait(_ ticket: Int) async -> Bool {
    await withUnsafeContinuation { (waiter: Waiter) in
      switch tickets.withLock({ $0.wait(ticket, waiter) }) {
      case .enter: waiter.resume()
      case .refuse:
        precondition(!isInside(ticket), "A ticket was used twice")
        waiter.resume()
      case .wait: break
      }
    }
    return isInside(ticket)
  }

  /// To ask takes the lock, which makes the order visible to the thread sanitizer as well: a task that has been resumed
  /// sees what the one before it wrote.
  private func isInside(_ ticket: Int) -> Bool {
    tickets.withLock { $0.isInside(ticket) }
  }
}
