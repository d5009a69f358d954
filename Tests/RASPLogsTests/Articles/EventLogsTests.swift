import Aggregate
import Foundation
import RASPLogs
import Streams
import TestSupport
import Testing

// The functions hold the code of the article as it stands there.

private struct Reading: Codable, Sendable {
  var sensor: String
  var celsius: Double
}

private struct Sensor: AggregateState, Codable, Equatable {
  var celsius = 0.0

  mutating func apply(_ reading: Reading) { celsius = reading.celsius }
}

private struct Order: Codable, Sendable {
  var customer: String
}

private struct Customer: AggregateState, Codable {
  var orders = 0

  mutating func apply(_ order: Order) { orders += 1 }
}

private actor Warehouse {
  var shipped: [String] = []

  func ship(_ order: Order, id: String) { shipped.append(id) }
}

private func fold(_ folder: String, _ show: @escaping @Sendable (Double?) -> Void) async throws {
  let log = try FileLog<Reading>(at: folder)
  let sensors = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
  try await sensors.append(Reading(sensor: "boiler-7", celsius: 81))  // durable when it returns
  let shown = sensors["boiler-7"].select(\.celsius).subscribe { show($0) }

  let position = try await sensors.append(Reading(sensor: "boiler-7", celsius: 82))
  try await sensors.folded(position)

  shown.cancel()

  await sensors.shutdown()
  try await log.close()
}

private func read(
  _ arrivals: Observable<Reading, any Error>,
  _ sensors: LoggedAggregator<String, Sensor>
) async throws {
  let batches = arrivals.buffer(count: 1_000, every: .milliseconds(10)).values(buffering: .unbounded)
  for try await batch in batches {
    try await sensors.append(contentsOf: batch)
  }
}

private func openWithPolicy(_ folder: String) async throws {
  let log = try FileLog<Reading>(at: folder, onPoison: .skip)
  try await log.close()
}

private func share() async throws -> [LoggedAggregator<String, Sensor>] {
  let log = MemoryLog<Reading>(partitions: 8)
  let first = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log, as: "first")
  let second = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log, as: "second")
  return [first, second]
}

private func widen(
  _ readings: FileLog<Reading>,
  _ wider: FileLog<Reading>,
  _ stopAppending: () async -> Void
) async throws {
  await stopAppending()  // who appends waits until the new log is used
  for partition in 0..<readings.partitions {
    let newest = try await readings.newest(in: partition)
    if newest == 0 { continue }
    for try await batch in readings.entries(of: partition, after: 0) {
      let parts = Dictionary(grouping: batch.entries.map(\.entry)) { wider.partition(of: $0.sensor) }
      for (place, entries) in parts { try await wider.append(entries, to: place) }
      if batch.offsets.upperBound >= newest { break }
    }
  }
}

private func ask(
  _ log: MemoryLog<Reading>,
  _ route: @escaping @Sendable (LogOwners) -> Void
) async throws -> (LoggedAggregator<String, Sensor>, String?) {
  let owned = try await LoggedAggregator(
    by: \Reading.sensor,
    initial: { _ in Sensor() },
    on: log,
    at: "http://10.0.0.7:8080"
  )
  let address = owned.owner(of: "boiler-7")?.address  // where to ask for this row
  let moved = owned.owners.subscribe { owners in route(owners) }
  moved.cancel()
  return (owned, address)
}

private func follow(_ log: MemoryLog<Reading>, _ position: LogPosition) async throws -> [String] {
  let shown = try await LoggedAggregator(following: log, by: \Reading.sensor, initial: { _ in Sensor() })
  try await shown.atLeast(position)  // as new as what the reader has seen
  let hottest = shown.ranked(by: \.celsius, first: 10).current  // over all partitions
  await shown.shutdown()
  return hottest.map(\.key)
}

private func react(
  _ orderLog: FileLog<Order>,
  _ warehouse: Warehouse
) async throws -> LoggedAggregator<String, Customer> {
  let orders = try await LoggedAggregator(
    by: \Order.customer,
    initial: { _ in Customer() },
    on: orderLog
  ) { position, order in
    await warehouse.ship(order, id: position.description)  // "orders/0/17": a warehouse that knows the id does nothing
  }
  return orders
}

@Suite("The article about logs, on the disk of the machine", .endsInTime)
struct EventLogsTests {
  @Test(
    "every Swift block of the articles is compiled by this target",
    arguments: [
      ("RASPLogs/RASPLogs.docc/EventLogs.md", 10), ("RASPLogs/RASPLogs.docc/RASPLogs.md", 1),
      ("RASPLogsTesting/RASPLogsTesting.docc/RASPLogsTesting.md", 1),
    ]
  )
  func blocksAreCompiled(article: String, count: Int) throws {
    #expect(try ArticleBlocks.count(in: "Sources/\(article)") == count)
    #expect(try ArticleBlocks.notCompiled(of: "Sources/\(article)", in: "Tests/RASPLogsTests") == [])
  }

  @Test("folded, and there again")
  func folds() async throws {
    try await inNewFolder { folder in
      for _ in 0..<2 {
        let shown = Lock<Double?>(nil)
        try await fold(folder) { celsius in shown.withLock { $0 = celsius } }
        #expect(shown.withLock { $0 } == 82)
      }
    }
  }

  @Test("LOAD-62: a source is read to its end, or to its failure", arguments: [false, true])
  func readsSource(fails: Bool) async throws {
    struct Broken: Error {}
    let log = MemoryLog<Reading>(partitions: 4)
    let sensors = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
    let arrivals = Observable<Reading, any Error> { producer in
      for number in 0..<5_000 { producer.send(Reading(sensor: "\(number % 9)", celsius: Double(number))) }
      if fails { producer.fail(Broken()) } else { producer.finish() }
    }
    do {
      try await read(arrivals, sensors)
      #expect(!fails)
    } catch {
      #expect(error is Broken && fails)
    }
    // A failure drops the values of its period, so where time has cut the batches there are fewer.
    var count = 0
    for partition in 0..<4 { count += try await log.newest(in: partition) }
    #expect(fails ? count <= 5_000 : count == 5_000)
    let expected = (0..<count).suffix(9).map { ("\($0 % 9)", Sensor(celsius: Double($0))) }
    #expect(await eventually { sensors.rows() == Dictionary(uniqueKeysWithValues: expected) })
    await sensors.shutdown()
  }

  @Test("a log with a policy")
  func policy() async throws {
    try await inNewFolder { try await openWithPolicy($0) }
  }

  @Test("two owners share the partitions")
  func shares() async throws {
    let owners = try await share()
    #expect(owners.map(\.partitions.count) == [4, 4])
    for owner in owners { await owner.shutdown() }
  }

  @Test("LOAD-70: in a copy with another number of partitions each entry is there once, and rows keep their order")
  func widens() async throws {
    try await inNewFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let readings = try FileLog<Reading>(at: "\(folder)/2", partitions: 2)
      let wider = try FileLog<Reading>(at: "\(folder)/7", partitions: 7)
      let sensors = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: readings)
      try await widen(readings, wider) {
        _ = try? await sensors.append(
          contentsOf: (1...2_000).map { Reading(sensor: "\($0 % 30)", celsius: Double($0)) }
        )
      }
      var newest = 0
      for partition in 0..<7 { newest += try await wider.newest(in: partition) }
      #expect(newest == 2_000)
      let copied = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: wider)
      let rows = Dictionary(uniqueKeysWithValues: (1_971...2_000).map { ("\($0 % 30)", Sensor(celsius: Double($0))) })
      #expect(copied.rows() == rows)
      for aggregator in [sensors, copied] { await aggregator.shutdown() }
      for log in [readings, wider] { try await log.close() }
    }
  }

  @Test("a process that knows the owner of a row, and one that follows")
  func reads() async throws {
    let log = MemoryLog<Reading>(partitions: 8)
    let tables = Lock(0)
    let (owned, address) = try await ask(log) { _ in tables.withLock { $0 += 1 } }
    #expect(address == "http://10.0.0.7:8080" && tables.withLock { $0 } == 1)
    try await owned.append(Reading(sensor: "oven", celsius: 200))
    let position = try await owned.append(Reading(sensor: "boiler-7", celsius: 81))
    #expect(try await follow(log, position).contains("boiler-7"))
    await owned.shutdown()
  }

  @Test("a reaction with its position")
  func reacts() async throws {
    try await inNewFolder { folder in
      let log = try FileLog<Order>(at: folder)
      let warehouse = Warehouse()
      let orders = try await react(log, warehouse)
      try await orders.folded(try await orders.append(Order(customer: "ada")))
      #expect(await eventually { await !warehouse.shipped.isEmpty })
      await orders.shutdown()
      #expect(await warehouse.shipped == ["\(log.name)/0/1"])
      try await log.close()
    }
  }
}
