import NIOCore
import RASPLogs
import RASPNATS
import ServerSupport
import Streams
import Testing

@testable import RASPJetStream

@Suite(
  "Addresses of members",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct AddressTests {
  @Test("LOAD-66: an address is beside the lease, and a lease without one counts")
  func besideTheLease() async throws {
    let server = try await NATSServer.start()
    let logs = [
      try await JetStreamLog<Reading>(server.url, name: "log", partitions: 4, options: .quick),
      try await JetStreamLog<Reading>(server.url, name: "log", options: .quick),
    ]
    let first = try await LoggedAggregator(
      by: \Reading.sensor,
      initial: { _ in Sensor() },
      on: logs[0],
      as: "first",
      at: "http://10.0.0.1:80/a%20b c"
    )
    let shown = try await LoggedAggregator(following: logs[1], by: \Reading.sensor, initial: { _ in Sensor() })
    let owner = LogOwner("first", at: "http://10.0.0.1:80/a%20b c")
    try await eventually("the follower knows the owner") { shown.owners.current.members == [owner] }
    let client = try await NATSClient.connect(to: server.url)
    let names = logs[0].connection.names
    _ = try await client.request(ByteBuffer(string: "old"), to: names.member("old"))
    try await eventually("a lease without an address counts") {
      shown.owners.current.members == [owner, LogOwner("old")] && shown.owners.current == first.owners.current
    }
    try await eventually("it ends") { shown.owners.current.members == [owner] }
    let position = try await shown.append(Reading(sensor: "a", value: 7))
    try await shown.atLeast(position)
    #expect(shown["a"].current != nil)
    await first.shutdown(within: .seconds(600))
    try await eventually("no member owns anything") { shown.owners.current.members.isEmpty }
    await shown.shutdown(within: .seconds(600))
    await client.close()
    for log in logs { try await log.close() }
  }

  @Test("any address comes back as it was")
  func texts() {
    let bytes = [UInt8](0...127)
    for seed in 0..<500 {
      let address = String(decoding: (0..<(seed % 20)).map { bytes[($0 * 31 + seed * 7) % 128] }, as: UTF8.self)
      var headers = NATSHeaders()
      headers[MemberAddress.header] = MemberAddress.text(address)
      #expect(MemberAddress(headers).address == address)
    }
    #expect(MemberAddress(NATSHeaders()).address == nil)
  }
}
