import RASPLogs

/// The members that one of them sees: those whose leases are not over, by the clock of the server.
struct MemberView: Sendable {
  /// The greatest number of members. Who can write into the bucket could name more without end; one process is one
  /// member.
  static let greatestCount = 10_000

  /// `nil` for those who only look.
  private let own: String?
  private let lease: Duration
  /// When each member has renewed its lease, by the clock of the server.
  private var renewals: [String: Renewal] = [:]

  private struct Renewal: Sendable {
    var owner: LogOwner
    var time: Duration
  }
  /// What the clock of the server is ahead of the one here; `nil` until the own lease has come back. Who only looks
  /// takes the greatest difference, which is that of the message that has waited least.
  private var ahead: Duration?

  /// - Parameter own: the key of the member itself; `nil` for those who only look.
  init(of own: String?, lease: Duration) {
    assert(lease > .zero, "Without a lease each member would be gone at once.")
    self.own = own
    self.lease = lease
  }

  /// A lease was renewed.
  ///
  /// - Parameters:
  ///   - key: that of the member.
  ///   - owner: the member.
  ///   - time: when, by the clock of the server.
  ///   - now: the time here.
  mutating func renew(_ key: String, _ owner: LogOwner, at time: Duration, now: Duration) {
    guard key == own || renewals[key] != nil || renewals.count < Self.greatestCount else { return }
    renewals[key] = Renewal(owner: owner, time: time)
    // Of others it is not known how long the message has waited.
    if key == own {
      ahead = time - now
    } else if own == nil {
      ahead = max(ahead ?? time - now, time - now)
    }
  }

  /// A member has left.
  mutating func remove(_ key: String) { renewals[key] = nil }

  /// Nothing was heard for a while, because there was no connection: all that were there get a whole lease.
  mutating func extendAll(at now: Duration) {
    guard let ahead else { return }
    for key in renewals.keys { renewals[key]?.time = now + ahead }
  }

  /// Those who are there; `nil` until that is known.
  func owners(at now: Duration) -> [LogOwner]? {
    guard let ahead else { return own == nil ? [] : nil }
    return renewals.filter { $0.key == own || $0.value.time + lease > now + ahead }.map(\.value.owner)
  }

  /// When the next lease is over; `nil` if there is no other member.
  func nextEnd(after now: Duration) -> Duration? {
    guard let ahead else { return nil }
    return renewals.filter { $0.key != own }.map { $0.value.time + lease - ahead }.filter { $0 > now }.min()
  }
}
