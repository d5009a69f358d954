import Testing

@testable import RASPFleet

/// Compared with the packets that MQTT 3.1.1 shows.
struct MQTTPacketTests {
  @Test("a connection names the protocol, its level and the client")
  func connect() {
    let bytes: [UInt8] = [0x10, 15, 0, 4] + Array("MQTT".utf8) + [4, 2, 0, 0, 0, 3] + Array("abc".utf8)
    #expect(MQTTPacket.connect(client: "abc").bytes == bytes)
  }

  @Test("a publication with QoS 1 has a number, and a length of several bytes where it needs them")
  func publish() {
    let bytes: [UInt8] = [0x32, 7, 0, 1, 0x61, 0x12, 0x34, 1, 2]
    #expect(MQTTPacket.publish(topic: "a", payload: [1, 2], id: 0x1234).bytes == bytes)
    let long = MQTTPacket.publish(topic: "a", payload: [UInt8](repeating: 0, count: 316), id: 1).bytes
    // 321 = 65 + 2 × 128
    #expect(long.prefix(3) == [0x32, 0xC1, 2])
    #expect(long.count == 3 + 321)
  }

  @Test("answers are taken when they are complete")
  func answers() {
    var bytes: [UInt8] = [0x20, 2, 0, 0, 0x40, 2, 0x12, 0x34, 0xD0, 0, 0x40, 2]
    #expect(MQTTAnswer.take(from: &bytes) == [.connected(code: 0), .acknowledged(id: 0x1234), .other])
    #expect(bytes == [0x40, 2])
    bytes += [0, 1]
    #expect(MQTTAnswer.take(from: &bytes) == [.acknowledged(id: 1)])
    #expect(bytes.isEmpty)
  }
}
