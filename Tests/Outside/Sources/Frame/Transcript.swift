/// What a program has said: values, their order, ends, counts and refusals, and no texts or addresses.
///
/// Lines have one order where the package promises one. What it promises no order for is noted in several voices, each
/// of which has an order of its own.
final class Transcript: Sendable {
  private let voices = Box<[String: [String]]>([:])

  func note(_ line: String, by voice: String = "") {
    voices.change { $0[voice, default: []].append(line) }
  }

  /// All lines, voice after voice.
  var lines: [String] {
    voices.value.sorted { $0.key < $1.key }.flatMap { voice, lines in
      voice.isEmpty ? lines : lines.map { "\(voice): \($0)" }
    }
  }

  /// A hash (FNV-1a) of all lines.
  var hash: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for line in lines {
      for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash = (hash ^ 10) &* 0x0000_0100_0000_01B3
    }
    return hash
  }
}
