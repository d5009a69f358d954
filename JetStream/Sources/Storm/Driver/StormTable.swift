/// What a storm has come to.
struct StormTable: Sendable {
  let findings: Findings
  let counts: Crew.Counts
  let serverKills: Int
  let serverStalls: Int
  /// How many messages were published that are no entries.
  let poisonous: Int
  let appendingTime: Duration
  /// What has ended that should not, in words.
  let failures: [String]

  /// Whether nothing is wrong.
  var isRight: Bool { findings.areRight && failures.isEmpty && findings.acknowledged > 0 }

  var lines: [String] {
    var rows: [(String, Int)] = [
      ("events in the log", findings.events),
      ("acknowledged", findings.acknowledged),
      ("not known", findings.unknown),
      ("  of these in the log", findings.unknownFound),
      ("appended again without an answer", findings.resent),
      ("  of these in the log twice", findings.resentTwice),
      ("taken away with an older store", findings.takenAway),
      ("rows", findings.rows),
      ("published that are no events", poisonous),
      ("  of these in the log", findings.skipped),
      ("servers killed", serverKills),
      ("most servers stood still", serverStalls),
      ("owners started", counts.started),
      ("owners killed", counts.killed),
      ("owners stopped beyond their lease", counts.stopped),
      ("owners ended in order", counts.ended),
      ("takeovers of a partition", counts.takeovers),
      ("owners deposed", counts.deposed),
      ("partitions that went back, as owners say", counts.wentBack.values.reduce(0, +)),
      ("failures", failures.count),
    ]
    rows += findings.wrong.map { ($0.name, $0.count) }
    let width = 2 + (rows.map(\.0.count).max() ?? 0) + (rows.map { "\($0.1)".count }.max() ?? 0)
    let table = rows.map { name, count in
      name + String(repeating: " ", count: width - name.count - "\(count)".count) + "\(count)"
    }
    // What led to rows that are wrong.
    let histories = findings.wrongPartitions.sorted().map { partition in
      "partition \(partition): " + (counts.history[partition] ?? []).suffix(12).joined(separator: ", ")
    }
    return table + failures.prefix(10) + findings.details + histories + [
      isRight ? "Nothing is wrong." : "Something is wrong."
    ]
  }
}
