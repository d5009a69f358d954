/// The packets of MQTT 3.1.1 that a sensor needs which publishes with QoS 1 and never subscribes.
enum MQTTPacket: Equatable, Sendable {
  case connect(client: String)
  case publish(topic: String, payload: [UInt8], id: UInt16)
  case disconnect

  /// The packet as it is sent.
  var bytes: [UInt8] {
    switch self {
    case .connect(let client):
      // The protocol and its level, a clean session, and no keep-alive.
      Self.packet(0x10, Self.text("MQTT") + [4, 0x02, 0, 0] + Self.text(client))
    case .publish(let topic, let payload, let id):
      Self.packet(0x32, Self.text(topic) + [UInt8(id >> 8), UInt8(truncatingIfNeeded: id)] + payload)
    case .disconnect:
      Self.packet(0xE0, [])
    }
  }

  private static func packet(_ head: UInt8, _ body: [UInt8]) -> [UInt8] {
    assert(body.count < 1 << 28, "Four bytes have the length.")
    var bytes = [head]
    var rest = body.count
    repeat {
      bytes.append(UInt8(rest % 128) | (rest >= 128 ? 0x80 : 0))
      rest /= 128
    } while rest > 0
    return bytes + body
  }

  private static func text(_ text: String) -> [UInt8] {
    assert(text.utf8.count <= UInt16.max, "Two bytes have the length.")
    return [UInt8(text.utf8.count >> 8), UInt8(truncatingIfNeeded: text.utf8.count)] + text.utf8
  }
}

/// What a server answers.
enum MQTTAnswer: Equatable, Sendable {
  /// The connection is there if the code is 0.
  case connected(code: UInt8)
  case acknowledged(id: UInt16)
  case other

  /// Takes the answers that are complete off the front of what has come.
  static func take(from bytes: inout [UInt8]) -> [MQTTAnswer] {
    var answers: [MQTTAnswer] = []
    var start = 0
    // All answers that a publisher gets are short: their length is one byte.
    while bytes.count >= start + 2, bytes.count >= start + 2 + Int(bytes[start + 1]) {
      let body = bytes[start + 2..<start + 2 + Int(bytes[start + 1])]
      switch (bytes[start] >> 4, body.count) {
      case (2, 2): answers.append(.connected(code: body[body.startIndex + 1]))
      case (4, 2):
        answers.append(.acknowledged(id: UInt16(body[body.startIndex]) << 8 | UInt16(body[body.startIndex + 1])))
      default: answers.append(.other)
      }
      start += 2 + body.count
    }
    bytes.removeFirst(start)
    return answers
  }
}
