import Streams

/// One at a time, in the order of arrival, and tasks wait without blocking a thread.
///
/// Safe to share: the line is behind the lock, and a waiter is resumed, after unlocking, by whoever took it out of the
/// line, which hands each out once.
final class TurnLine: Sendable {
  /// A place in the line. Whoever draws one must wait for its turn and leave, or nobody behind it is ever served.
  struct Ticket: Sendable {
    fileprivate let number: Int
  }

  private typealias Waiter = CheckedContinuation<Bool, Never>

  private let line = Lock(WaitingLine<Waiter>())

  /// Takes a place in the line now, for a turn later.
  func draw() -> Ticket {
    Ticket(number: line.withLock { $0.draw() })
  }

  /// Returns when it is the ticket's turn, also if the task is cancelled meanwhile.
  func wait(for ticket: Ticket) async {
    _ = await turn(ticket)
  }

  /// Takes a place and returns when it is its turn.
  ///
  /// - Throws: `CancellationError` if the task was cancelled while it waited; the place is given up then.
  func enter() async throws(CancellationError) {
    let ticket: Ticket? = line.withLock { line in
      let isIdle = line.isIdle
      let ticket = Ticket(number: line.draw())
      return isIdle ? nil : ticket
    }
    guard let ticket else { return }
    let granted = await withTaskCancellationHandler {
      await turn(ticket)
    } onCancel: {
      line.withLock { $0.abandon(ticket.number) }?.resume(returning: false)
    }
    if !granted { throw CancellationError() }
  }

  /// Ends the turn.
  func leave() {
    line.withLock { $0.leave() }?.resume(returning: true)
  }

  private func turn(_ ticket: Ticket) async -> Bool {
    await withCheckedContinuation { waiter in
      switch line.withLock({ $0.wait(ticket.number, waiter) }) {
      case .enter: waiter.resume(returning: true)
      case .turnAway: waiter.resume(returning: false)
      case .wait: break
      }
    }
  }
}
