import Foundation

/// How many rounds a test of races or of random programs runs, of the `full` count.
///
/// All of them in an optimised build, and a hundredth in a debug build, which also is what the sanitizers run. The
/// environment variable `RASP_TEST_ROUNDS` says otherwise: it is the part of the full count to be run, such as `1`,
/// `0.1` or `10`.
package func rounds(_ full: Int) -> Int {
  max(1, Int((Double(full) * partOfRounds).rounded(.up)))
}

private let partOfRounds: Double = {
  if let text = ProcessInfo.processInfo.environment["RASP_TEST_ROUNDS"], let part = Double(text), part > 0 {
    return part
  }
  #if DEBUG
    return 0.01
  #else
    return 1
  #endif
}()

/// Pseudo-random numbers that are the same on every run.
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
