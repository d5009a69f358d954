import Foundation

/// How many rounds a random program runs: all of them in an optimised build, and a hundredth in a debug build. The
/// variable `RASP_TEST_ROUNDS` says otherwise.
func rounds(_ full: Int) -> Int {
  #if DEBUG
    let part = 0.01
  #else
    let part = 1.0
  #endif
  let wanted = ProcessInfo.processInfo.environment["RASP_TEST_ROUNDS"].flatMap(Double.init) ?? part
  return max(1, Int((Double(full) * wanted).rounded(.up)))
}

/// Pseudo-random numbers that are the same on every run.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A folder that is removed with the value.
final class TestFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
