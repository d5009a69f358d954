import Synchronization

/// Pseudo-random numbers (SplitMix64) that are the same on every run and every machine. A program draws each number
/// when it needs it, also inside of callbacks: one thread runs it, in one order.
final class Numbers: Sendable {
  private let state: Mutex<UInt64>

  init(seed: Int) {
    state = Mutex(UInt64(seed))
  }

  /// A number from zero up to, and without, `count`.
  func below(_ count: Int) -> Int {
    let mixed = state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
    return Int(mixed % UInt64(count))
  }

  func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// Is `true` once in so many times.
  func once(in count: Int) -> Bool { below(count) == 0 }

  func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  func list<Value>(_ count: Int, _ make: () -> Value) -> [Value] { (0..<count).map { _ in make() } }
}
