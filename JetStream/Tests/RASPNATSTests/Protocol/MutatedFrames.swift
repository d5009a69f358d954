import Foundation
import NIOCore
import Testing

@testable import RASPNATS

/// The frames of the corpus and of recorded conversations, changed at random. A longer run: RASP_FUZZ_ROUNDS=1000000.
struct MutatedFrames {
  private static let rounds = ProcessInfo.processInfo.environment["RASP_FUZZ_ROUNDS"].flatMap(Int.init) ?? 5_000

  /// What parsers are most often wrong about.
  private static let tokens = [
    "\r\n", "\n", "\r", " ", "  ", "\t", "\0", "MSG ", "HMSG ", "INFO ", "PING\r\n", "PONG\r\n", "-ERR '", "NATS/1.0",
    "0", "1",
    "-1", "00", "67108864", "67108865", "4294967295", "4294967296", "9223372036854775807", "18446744073709551616", ".",
    ">", "*",
    "NATS/1.0 503\r\n\r\n", ":", "\u{FFFD}",
  ].map { Array($0.utf8) }

  private static func corpus() throws -> [[UInt8]] {
    try Capture.frames()
      + Capture.versions.map(Capture.server).flatMap { bytes in
        // Pieces of a conversation, so that a change is not lost in a long text.
        stride(from: 0, to: bytes.count, by: 700).map { Array(bytes[$0..<min($0 + 1_400, bytes.count)]) }
      }
  }

  private static func mutated(_ corpus: [[UInt8]], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = corpus.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...20, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 1 where place < bytes.count: bytes[place] = .random(in: .min ... .max, using: &random)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
      case 5: bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
      default: bytes.insert(contentsOf: corpus.randomElement(using: &random) ?? [], at: place)
      }
    }
    return bytes
  }

  /// What comes out of bytes that come in pieces: operations, and why it has ended.
  private static func parsed(_ bytes: [UInt8], cutAt cuts: [Int]) -> [String] {
    var parser = ProtocolParser()
    var texts: [String] = []
    var start = 0
    do throws(ProtocolViolation) {
      for cut in cuts + [bytes.count] {
        parser.append(ByteBuffer(bytes: bytes[start..<cut]))
        start = cut
        while let operation = try parser.next() {
          texts.append(ParsedText.of(operation))
          if case .info(let json) = operation { _ = try? NATSServerInfo(json: json, url: "") }
        }
        // What is announced and has not come takes no memory.
        #expect(parser.capacity <= 4 * bytes.count + 64)
      }
    } catch {
      texts.append("violation: \(error.reason)")
    }
    return texts
  }

  @Test(arguments: 0..<4)
  func bytesMeanTheSameHoweverTheyAreCutAndNoneTrap(seed: UInt64) throws {
    let corpus = try Self.corpus()
    var random = SeededRandom(state: (seed + 1) &* 0x9E37_79B9_7F4A_7C15)
    for round in 0..<Self.rounds / 4 {
      let bytes = Self.mutated(corpus, &random)
      let whole = Self.parsed(bytes, cutAt: [])
      let cuts = (0..<Int.random(in: 1...5, using: &random)).map { _ in Int.random(in: 0...bytes.count, using: &random)
      }
      guard Self.parsed(bytes, cutAt: cuts.sorted()) != whole else { continue }
      Issue.record(
        "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self).debugDescription) cut at \(cuts)"
      )
      return
    }
  }
}
