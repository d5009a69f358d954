/// How often a ``FaultyLog`` does what: 0 never, 1 always.
public struct LogFaults: Sendable {
  /// A call throws, and has done nothing.
  public var outages = 0.0
  /// An append or a commit was not done, and the caller is not told.
  public var lostRequests = 0.0
  /// An append or a commit was done, and the caller is not told.
  public var lostAnswers = 0.0
  /// A call waits.
  public var delays = 0.0
  /// How long it waits at most.
  public var longestDelay = Duration.seconds(2)
  /// A reader gets again what it has got.
  public var repeats = 0.0
  /// A reader gets only the last one of several entries.
  public var gaps = 0.0
  /// Another owner takes a partition over just before its owner commits.
  public var depositions = 0.0

  /// Nothing goes wrong, as long as nothing is set.
  public init() {}

  /// Nothing goes wrong.
  public static let never = LogFaults()

  /// Every kind of fault, often.
  public static let often: LogFaults = {
    var faults = LogFaults()
    faults.outages = 0.05
    faults.lostRequests = 0.05
    faults.lostAnswers = 0.1
    faults.delays = 0.2
    faults.repeats = 0.1
    faults.gaps = 0.1
    faults.depositions = 0.1
    return faults
  }()
}

/// What becomes of one reading.
enum LogReadFault: Sendable {
  case none
  case again
  case gap
}

/// Numbers from 0 to 1 for one call, which depend on its seed alone.
struct LogChances: Sendable {
  let faults: LogFaults
  private var state: UInt64

  init(seed: UInt64, _ faults: LogFaults) {
    state = seed
    self.faults = faults
  }

  /// The next number of SplitMix64.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(1 << 53)
  }
}
