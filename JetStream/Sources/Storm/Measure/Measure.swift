import Aggregate
import FleetProcesses
import Foundation
import NIOCore
import RASPJetStream
import RASPJournal
import RASPLogs
import RASPNATS

/// What a log reaches on this machine, each as a ratio to a bare loop over the same protocol in the same run.
struct Measure: Sendable {
  let servers: Servers
  let events: Int
  let say: @Sendable (String) -> Void

  private static let partitions = 4
  private static let batch = 500
  private static let rows = 6_000 * partitions
  private let clock = ContinuousClock()

  func run() async throws {
    try await compare("coding by hand", name: "hand", StormEvent.coding, bytes: 6)
    try await compare("JSON", name: "json", .codable, bytes: 38)
    try await takeOver()
  }

  // MARK: Append and read

  private func compare(_ title: String, name: String, _ coding: Coding<StormEvent>, bytes: Int) async throws {
    let client = try await NATSClient.connect(to: servers.addresses)
    let payload = ByteBuffer(repeating: UInt8(ascii: "0"), count: bytes)
    let bare = BareLoop(client: client, streams: Self.partitions, payload: payload)
    for stream in 0..<Self.partitions {
      _ = try await client.request(ByteBuffer(), to: "$JS.API.STREAM.DELETE.bare-\(stream)")
    }
    try await bare.prepare()
    let log = try await open(name, coding)
    // A little of both first, so that connections and files are there.
    try await append(Self.partitions * Self.batch, from: 0, to: log)
    let count = events / Self.partitions / Self.batch * Self.partitions * Self.batch
    assert(count % (Self.partitions * Self.batch) == 0, "Each partition gets whole calls.")
    let bareAppend = try await clock.measure { try await bare.append(count, batch: Self.batch) }
    let logAppend = try await clock.measure { try await append(count, from: Self.partitions * Self.batch, to: log) }
    report("append, acknowledged, \(title)", count, logAppend, bareAppend)
    let bareRead = try await clock.measure { _ = try await bare.read(count) }
    let logRead = try await clock.measure { _ = try await StormRow.folded(from: log) }
    report("read and fold, \(title)", count, logRead, bareRead)
    try await log.close()
    await client.close()
  }

  private func open(_ name: String, _ coding: Coding<StormEvent>) async throws(LogError) -> JetStreamLog<StormEvent> {
    let addresses = servers.addresses.joined(separator: ",")
    return try await JetStreamLog(addresses, name: name, partitions: Self.partitions, coding: coding)
  }

  private func append(_ count: Int, from first: Int, to log: JetStreamLog<StormEvent>) async throws {
    let keys = Dictionary(grouping: 0..<Self.rows) { PartitionHasher.partition(of: $0, among: Self.partitions) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (partition, keys) in keys {
        group.addTask {
          for call in 0..<count / Self.partitions / Self.batch {
            let events = (0..<Self.batch).map { index in
              let number = first + call * Self.batch + index
              return StormEvent(key: keys[number % keys.count], publisher: 0, number: number)
            }
            try await log.append(events, to: partition)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func report(_ title: String, _ count: Int, _ log: Duration, _ bare: Duration) {
    let rate = Int(Double(count) / (log / .seconds(1)))
    let bareRate = Int(Double(count) / (bare / .seconds(1)))
    say("\(title): \(rate) a second; the bare loop \(bareRate); \(Self.ratio(log / bare)) × its time")
  }

  private static func ratio(_ ratio: Double) -> String {
    "\(Double(Int(ratio * 100)) / 100)"
  }

  // MARK: Takeovers

  /// One owner in another process has all partitions, with 6,000 rows each. It ends, and the time counts until the
  /// owner here has them.
  private func takeOver() async throws {
    let options = try StormOptions.parse(["--partitions", "\(Self.partitions)"])
    let log = try await StormLog.open(servers: servers.addresses, options)
    let keys = Dictionary(grouping: 0..<Self.rows) { PartitionHasher.partition(of: $0, among: Self.partitions) }
    for (partition, keys) in keys {
      try await log.append(keys.map { StormEvent(key: $0, publisher: 0, number: $0) }, to: partition)
    }
    for isKilled in [false, true] {
      let (lines, heard) = AsyncStream.makeStream(of: Owner.Message.self)
      let words = ["--role", "owner", "--name", "other", "--partitions", "\(Self.partitions)"]
      let child = try await ChildProcess(ParentProcess.ownExecutable, words + ["--servers"] + servers.addresses) {
        line in
        if let message = jsonValue(of: line, as: Owner.Message.self) { heard.yield(message) }
      }
      try await wait(for: Self.partitions, in: lines)
      // Its rows are committed.
      try await Task.sleep(for: .seconds(2))
      let (own, owned) = AsyncStream.makeStream(of: Owner.Message.self)
      let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
      let task = Task { await Owner(name: "here", log: log) { owned.yield($0) }.run(until: stop) }
      // They share the partitions now.
      try await wait(for: Self.partitions / 2, in: own)
      try await Task.sleep(for: .seconds(1))
      let start = clock.now
      if isKilled { child.send(signal: SIGKILL) } else { child.tell("stop") }
      try await wait(for: Self.partitions / 2, in: own)
      let time = clock.now - start
      let title = isKilled ? "after a kill, with a lease of \(StormLog.lease)" : "after a graceful end"
      let rows = "\(Self.rows / Self.partitions) rows in each partition"
      say("takeover \(title), \(rows): \(Int(time / .milliseconds(1))) ms")
      await child.end()
      stopping.finish()
      await task.value
    }
    try await log.close()
  }

  private func wait(for partitions: Int, in messages: AsyncStream<Owner.Message>) async throws {
    var rest = partitions
    for await message in messages {
      if case .live = message { rest -= 1 }
      if rest == 0 { return }
    }
  }
}
