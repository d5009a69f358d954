import RASPLogs

/// Makes pictures of a fleet: it asks the log for its newest entries, and knows what the owners had folded before.
struct FleetWatch: Sendable {
  let title: String
  let fleet: Fleet
  let log: any EventLog<Reading>
  private var before: [String: (folded: Int, rate: Double)] = [:]
  private var last = ContinuousClock.now

  init(title: String, fleet: Fleet, log: any EventLog<Reading>) {
    self.title = title
    self.fleet = fleet
    self.log = log
  }

  mutating func picture() async throws(LogError) -> FleetPicture {
    var newest: [Int: Int] = [:]
    for partition in 0..<log.partitions { newest[partition] = try await log.newest(in: partition) }
    let now = ContinuousClock.now
    let seconds = max(0.001, (now - last) / .seconds(1))
    last = now
    var rows: [FleetPicture.Row] = []
    for (name, member) in fleet.members {
      let status = member.status
      let old = before[name] ?? (status.folded, 0)
      let rate = Double(status.folded - old.folded) / seconds
      // Half of the rate before, so that the number can be read.
      before[name] = (status.folded, old.rate == 0 ? rate : (rate + old.rate) / 2)
      rows.append(
        FleetPicture.Row(
          name: name,
          pid: member.child.pid,
          partitions: status.offsets.keys.sorted(),
          rate: Int(before[name]?.rate ?? 0),
          lag: status.offsets.reduce(0) { $0 + max(0, newest[$1.key, default: 0] - $1.value) },
          hottest: status.hottest
        )
      )
    }
    return FleetPicture(title: title, partitions: log.partitions, rows: rows, takeover: fleet.takeover)
  }
}
