/// Decides when a shared stream is subscribed to, and when that subscription is cancelled: a plain state machine, event
/// in, action out.
///
/// ```
///              first joins                  upstream finishes
///   ┌──────┐ ───────────────▶ ┌───────────┐ ───────────────▶ ┌───────┐
///   │ idle │                  │ connected │                  │ ended │ ◀─┐ joins: gets the end
///   └──────┘ ◀─────────────── └───────────┘                  └───────┘ ──┘
///              last leaves,
///              upstream fails
/// ```
///
/// ``ShareShell`` is the shell that locks, asks, unlocks and acts.
///
/// Invariants: a connection that has finished stays, so the source is not started again; a connection that has not
/// ended has at least one subscriber.
struct ShareMachine<Connection: AnyObject & Sendable>: Sendable {
  private enum State: Sendable {
    case idle
    case connected(Connection, subscribers: Int)
    case ended(Connection)
  }

  private var state = State.idle

  /// Takes in a new subscriber.
  ///
  /// - Parameter make: makes a connection, if there is none.
  /// - Returns: the connection to join, and whether its source is to be subscribed to.
  mutating func joined(orNew make: () -> Connection) -> (joined: Connection, connects: Bool) {
    switch state {
    case .idle:
      let connection = make()
      state = .connected(connection, subscribers: 1)
      return (connection, true)
    case .connected(let connection, let subscribers):
      assert(subscribers > 0, "A shared stream is connected for no subscriber.")
      state = .connected(connection, subscribers: subscribers + 1)
      return (connection, false)
    case .ended(let connection):
      return (connection, false)
    }
  }

  /// Takes in that a subscriber has left this connection.
  ///
  /// - Returns: the connection, if it is to be cancelled.
  mutating func left(_ connection: Connection) -> Connection? {
    guard case .connected(let current, let subscribers) = state, current === connection else { return nil }
    assert(subscribers > 0, "More subscribers have left a shared stream than have joined.")
    guard subscribers == 1 else {
      state = .connected(current, subscribers: subscribers - 1)
      return nil
    }
    state = .idle
    return current
  }

  /// Takes in that the source of this connection has ended.
  ///
  /// - Parameter failed: whether it has failed. Then the next subscriber connects anew, so that a retry behind a shared
  ///   stream finds a source.
  mutating func ended(_ connection: Connection, failed: Bool) {
    guard case .connected(let current, _) = state, current === connection else { return }
    state = failed ? .idle : .ended(current)
  }
}
