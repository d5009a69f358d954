import RASPLogs

/// Judges what owners have done and said of one partition, by the revisions of its record: a bucket gives each record a
/// greater one than the one before.
struct OwnerHistory: Sendable {
  private struct Commit {
    var owner: String
    var offset: Int
    var replacing: UInt64
    var revision: UInt64
  }

  private let partition: Int
  /// In the order of their revisions.
  private var commits: [Commit] = []
  private var reactions: [(offset: Int, revision: UInt64)] = []
  private var deposals: [(owner: String, replacing: UInt64)] = []
  private var unanswered: [(owner: String, replacing: UInt64)] = []
  /// Revisions that an owner has seen, with the owners that have made them; an empty name if that is not known.
  private var makers: [UInt64: String] = [:]
  private var skipped: Set<Int> = []

  /// - Parameter reports: those of all owners, by their names.
  init(of partition: Int, reports: [String: OwnerReport]) {
    self.partition = partition
    for (owner, report) in reports {
      for line in report.lines {
        switch line {
        case .read(partition, let revision): if makers[revision] == nil { makers[revision] = "" }
        case .commit(partition, let offset, let replacing, let revision):
          makers[revision] = owner
          commits.append(Commit(owner: owner, offset: offset, replacing: replacing, revision: revision))
        case .deposed(partition, let replacing): deposals.append((owner, replacing))
        case .unanswered(partition, let replacing): unanswered.append((owner, replacing))
        case .reaction(partition, let offset, let revision): reactions.append((offset, revision))
        case .skipped(partition, let offset): skipped.insert(offset)
        default: break
        }
      }
    }
    commits.sort { $0.revision < $1.revision }
  }

  /// Finds commits that have replaced another record than the one that they name.
  func checkCommits(_ findings: inout Findings) {
    for (before, commit) in zip(commits, commits.dropFirst()) where before.revision > commit.replacing {
      findings.blindCommits += 1
      findings.explain("partition \(partition): \(commit) has replaced \(before)")
    }
  }

  /// Finds owners that say that they were deposed while no other one has replaced their record.
  ///
  /// - Parameters:
  ///   - last: the revision of the record at the end.
  ///   - isWhole: whether no owner was killed, so that it is known of each record whose it may be.
  func checkDeposals(last: UInt64, isWhole: Bool = false, _ findings: inout Findings) {
    for (owner, replacing) in deposals {
      if isWhole {
        // The next record of which there was an answer, and those without one that may stand before it.
        let next = commits.first { $0.revision > replacing }
        let between = unanswered.filter { $0.replacing >= replacing && $0.replacing < next?.revision ?? .max }
        if next.map({ $0.owner != owner }) == true || between.contains(where: { $0.owner != owner }) { continue }
      } else {
        let others = makers.filter { $0.key > replacing && $0.value != owner }
        if !others.isEmpty || (last > replacing && makers[last] != owner) { continue }
      }
      findings.falseReports += 1
      findings.explain(
        "partition \(partition): \(owner) says that it was deposed behind the record \(replacing), and was not"
      )
    }
  }

  /// Compares entries that owners say they have passed over with those that cannot be read.
  ///
  /// - Parameter offset: that of the record: what is in front of it was passed over by an owner that has said so.
  func checkSkipped(_ unreadable: Set<Int>, upTo offset: Int, _ findings: inout Findings) {
    let wrong = skipped.subtracting(unreadable).union(unreadable.filter { $0 <= offset }.subtracting(skipped))
    findings.falseReports += wrong.count
    if let first = wrong.min() {
      findings.explain("partition \(partition): \(first) was passed over in silence, or can be read")
    }
  }

  /// Finds entries that were reacted to although a record had them, and those that a record has without a reaction.
  func checkReactions(to offsets: some Sequence<Int>, _ findings: inout Findings) {
    // The greatest offset of all commits up to each of them.
    var greatest: [(revision: UInt64, offset: Int)] = []
    for commit in commits { greatest.append((commit.revision, max(commit.offset, greatest.last?.offset ?? 0))) }
    for reaction in reactions {
      let next = greatest.partitionPoint { $0.revision > reaction.revision }
      guard next > 0, greatest[next - 1].offset >= reaction.offset else { continue }
      findings.repeatedReactions += 1
      findings.explain("partition \(partition): \(reaction) is behind the record \(greatest[next - 1])")
    }
    let reacted = Set(reactions.map(\.offset))
    for offset in offsets where !reacted.contains(offset) {
      findings.missedReactions += 1
      findings.explain("partition \(partition): \(offset) is in the record, and was not reacted to")
    }
  }
}

extension Array {
  /// The first index of those behind which a condition holds for all elements, in an array in which it does so from
  /// some element on.
  fileprivate func partitionPoint(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
