import NIOCore
import Testing

@testable import RASPNATS

struct BrokenConversations {
  @Test(arguments: [
    "WHAT\r\n", "MSG\r\n", "MSG a\r\n", "MSG a 1\r\n", "MSG a x 1\r\n", "MSG a 1 -1\r\n", "MSG a 1 b c 2\r\n",
    "MSG a 1 99999999999999999999\r\n", "MSG a 1 67108865\r\n", "HMSG a 1 5 4\r\nabcd\r\n", "HMSG a 1 4\r\nabcd\r\n",
    "MSG a 1 2\r\nabcd\r\n", "MSG  1 0\r\n\r\n", "\r\n", "PINGS\r\n",
  ])
  func whatIsNotTheProtocolIsRefused(text: String) throws {
    #expect(throws: ProtocolViolation.self) { try ParsedText.all(of: [Array(text.utf8)[...]]) }
  }

  @Test func aLineHasABound() throws {
    let line = [UInt8](repeating: 65, count: ProtocolFrame.greatestLine)
    #expect(throws: ProtocolViolation.self) { try ParsedText.all(of: [line[...]]) }
  }

  @Test(arguments: 0..<20)
  func noBytesTrap(seed: Int) throws {
    var random = SeededRandom(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
    let bytes = try Capture.server(Capture.versions[seed % 2])
    for _ in 0..<100 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: broken.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: broken[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: broken.remove(at: index)
        case 2: broken.insert(UInt8.random(in: 48...57, using: &random), at: index)
        default: broken.removeSubrange(index..<min(index + 20, broken.count))
        }
      }
      let cut = Int.random(in: broken.indices, using: &random)
      var parser = ProtocolParser()
      do throws(ProtocolViolation) {
        for piece in [broken[..<cut], broken[cut...]] {
          parser.append(ByteBuffer(bytes: piece))
          while let operation = try parser.next() { #expect(!ParsedText.of(operation).isEmpty) }
          // What is announced and has not come takes no memory.
          #expect(parser.capacity <= 4 * bytes.count)
        }
      } catch {
        #expect(!error.reason.isEmpty)
      }
    }
  }
}

/// The same numbers in each run.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
