import Streams

/// Work that overlaps by its policy, told apart by keys of the user: a line for each key under which something runs or
/// waits, and one for work that has no key.
///
/// `hash(into:)` and `==` of a key are code of the user, so they run while no lock is held: the lines stand by the hash
/// values of their keys, and those of one hash value are compared in a copy of their list.
///
/// Invariant: of the lines of one key at most one has work. One whose last work has left takes none, and is about to be
/// removed.
///
/// Safe to share: the table is behind its lock, the rest does not change.
@usableFromInline
package final class OverlapLines<Work: Sendable>: Sendable {
  /// The line of the work that has no key. It is always there.
  @usableFromInline package let common: OverlapLine<Work>
  private let policy: OverlapPolicy
  private let start: @Sendable (Work) -> Void
  private let keyed = Lock<[Int: [OverlapLine<Work>]]>([:])

  /// - Parameter start: tells work that has waited that its turn has come. It runs nothing by itself, so that a long
  ///   line needs no deep stack.
  @usableFromInline
  package init(_ policy: OverlapPolicy, start: @escaping @Sendable (Work) -> Void) {
    self.policy = policy
    self.start = start
    common = OverlapLine(OverlapMachine(policy), nil, start: start)
  }

  /// Takes in a newcomer; `nil` is the key of work that has none.
  ///
  /// - Complexity: O(1), and the work of hashing and comparing the key.
  package func arrived(
    _ work: Work,
    under key: (any Hashable & Sendable)?
  ) -> (line: OverlapLine<Work>, answer: OverlapMachine<Work>.Answer) {
    guard let key = key.flatMap(key(of:)) else { return (common, common.arrived(work)) }
    var seen: [OverlapLine<Work>] = []
    var newcomer: (line: OverlapLine<Work>, answer: OverlapMachine<Work>.Answer)?
    while true {
      for line in lines(of: key) where !seen.contains(where: { $0 === line }) {
        if line.has(key), let answer = line.arrivedUnlessOver(work) { return (line, answer) }
        seen.append(line)
      }
      let made = newcomer ?? line(of: key, with: work)
      newcomer = made
      let isInserted = keyed.withLock { [seen] lines in
        let present = lines[key.hash] ?? []
        guard present.allSatisfy({ line in seen.contains { $0 === line } }) else { return false }
        lines[key.hash] = present + [made.line]
        return true
      }
      if isInserted { return made }
    }
  }

  /// The line under whose key something runs or waits, if there is one.
  package func line(under key: (any Hashable & Sendable)?) -> OverlapLine<Work>? {
    guard let key = key.flatMap(key(of:)) else { return common }
    return lines(of: key).first { $0.has(key) && !$0.isOver }
  }

  /// The number of keys under which something runs or waits.
  package var keyCount: Int { keyed.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Removes the line of a key whose last work has left.
  fileprivate func remove(_ line: OverlapLine<Work>, _ key: OverlapKey) {
    keyed.withLock { lines in
      let others = lines[key.hash]?.filter { $0 !== line } ?? []
      lines[key.hash] = others.isEmpty ? nil : others
    }
  }

  /// Work that runs side by side in any case is not told apart.
  private func key(of value: any Hashable & Sendable) -> OverlapKey? {
    policy == .concurrent ? nil : OverlapKey(value)
  }

  private func lines(of key: OverlapKey) -> [OverlapLine<Work>] {
    keyed.withLock { $0[key.hash] } ?? []
  }

  private func line(
    of key: OverlapKey,
    with work: Work
  ) -> (line: OverlapLine<Work>, answer: OverlapMachine<Work>.Answer) {
    var machine = OverlapMachine<Work>(policy)
    let answer = machine.arrived(work)
    return (OverlapLine(machine, (self, key), start: start), answer)
  }
}

/// The work of one key, or all work that has none.
///
/// Safe to share: the machine is behind its lock, the rest does not change.
@usableFromInline
package final class OverlapLine<Work: Sendable>: Sendable {
  @usableFromInline let machine: Lock<OverlapMachine<Work>>
  @usableFromInline let start: @Sendable (Work) -> Void
  private let alarm = GrowthAlarm()
  /// The lines to which this one belongs, and its key; `nil` for the line that is always there.
  private let home: (lines: OverlapLines<Work>, key: OverlapKey)?
  @usableFromInline let hasKey: Bool

  @usableFromInline
  init(
    _ machine: OverlapMachine<Work>,
    _ home: (lines: OverlapLines<Work>, key: OverlapKey)?,
    start: @escaping @Sendable (Work) -> Void
  ) {
    self.machine = Lock(machine)
    self.home = home
    hasKey = home != nil
    self.start = start
  }

  /// Takes in a newcomer of the line that is always there.
  ///
  /// - Complexity: O(1).
  @inlinable
  package func arrived(_ work: Work) -> OverlapMachine<Work>.Answer {
    assert(!hasKey, "Work comes into a line without having been asked for its key.")
    return machine.withLock { $0.arrived(work) }
  }

  /// Takes out work that has ended, or was withdrawn while it waited, and starts the work whose turn it is.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  package func left(_ number: Int) {
    if hasKey { return leftUnderKey(number) }
    var gone: Work?
    let next = machine.withLock { $0.left(number, &gone) }
    if let next { start(next.work) }
  }

  /// Is `true` once: when so much work waits that it is to be reported.
  package var hasGrown: Bool { alarm.rings(at: machine.withLock(\.waiting.count)) }

  /// Is `true` for the line of a key whose last work has left. It takes no other.
  fileprivate var isOver: Bool { hasKey && machine.withLock(\.isIdle) }

  fileprivate func has(_ key: OverlapKey) -> Bool { home?.key == key }

  fileprivate func arrivedUnlessOver(_ work: Work) -> OverlapMachine<Work>.Answer? {
    machine.withLock { $0.isIdle ? nil : $0.arrived(work) }
  }

  /// ``left(_:)`` of a line that is removed with its last work. Apart, because to ask for that makes a copy of the
  /// work.
  @usableFromInline
  func leftUnderKey(_ number: Int) {
    var gone: Work?
    let (next, isOver) = machine.withLock { ($0.left(number, &gone), $0.isIdle) }
    if isOver, let home { home.lines.remove(self, home.key) }
    if let next { start(next.work) }
  }
}

/// A key of the user, with its hash value.
@usableFromInline
struct OverlapKey: Sendable, Equatable {
  private let value: any Hashable & Sendable
  let hash: Int

  init(_ value: any Hashable & Sendable) {
    self.value = value
    hash = AnyHashable(value).hashValue
  }

  @usableFromInline
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.hash == rhs.hash && AnyHashable(lhs.value) == AnyHashable(rhs.value)
  }
}
