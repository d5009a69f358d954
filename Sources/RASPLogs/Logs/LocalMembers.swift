import Aggregate
import Streams

/// The members of a log that one process has for itself. A member that does not answer is one whose subscription has
/// ended, so there is no lease.
final class LocalMembers: Sendable {
  private struct Members: AggregateState {
    enum Change: Sendable {
      case joined(LogOwner)
      case left(String)
    }

    /// How many subscriptions each name has.
    var counts: [String: Int] = [:]
    /// The members by their names: those that came last.
    var present: [String: LogOwner] = [:]

    mutating func apply(_ change: Change) {
      switch change {
      case .joined(let member):
        counts[member.member, default: 0] += 1
        present[member.member] = member
      case .left(let name):
        assert(counts[name] != nil, "a member leaves that has not joined")
        counts[name] = counts[name].flatMap { $0 > 1 ? $0 - 1 : nil }
        if counts[name] == nil { present[name] = nil }
      }
    }
  }

  private let partitions: Int
  private let members = Aggregator(initial: Members())

  init(partitions: Int) {
    self.partitions = partitions
  }

  func assignment(of member: String) -> Observable<Set<Int>, Never> {
    owners(joining: LogOwner(member)).map { $0.partitions(of: member) }.distinctUntilChanged()
  }

  func owners(joining member: LogOwner?) -> Observable<LogOwners, Never> {
    let (members, partitions) = (members, partitions)
    return Observable { producer in
      if let member { members.send(.joined(member)) }
      let subscription = members.select(\.self)
        .map { state in LogOwners(dividing: partitions, among: state.present.values) }
        .distinctUntilChanged()
        .subscribe {
          producer.send($0)
        } onEnd: { _ in
          producer.finish()
        }
      producer.onTermination {
        subscription.cancel()
        if let member { members.send(.left(member.member)) }
      }
    }
  }

  /// Finishes all assignments.
  func close() { members.finish() }
}
