import Aggregate
import RASPJournal
import RASPLogs

/// What publishers append. The numbers of one publisher in one partition are 1, 2, 3 …, so that what is lost, doubled
/// or out of order is seen in the log.
struct StormEvent: Equatable, Codable, Sendable {
  var key: Int
  var publisher: Int
  var number: Int

  static let coding = Coding<StormEvent>(version: 1, named: "StormEvent") { event, bytes in
    bytes.appendVarint(UInt64(event.key))
    bytes.appendVarint(UInt64(event.publisher))
    bytes.appendVarint(UInt64(event.number))
  } decode: { bytes in
    StormEvent(
      key: Int(try bytes.readVarint()),
      publisher: Int(try bytes.readVarint()),
      number: Int(try bytes.readVarint())
    )
  }

  /// Adds the event to the hash of those before. The hash of the same events in another order is another one.
  func hash(after hash: UInt64) -> UInt64 {
    [publisher, number].reduce(hash) { hash, part in
      let mixed = (hash ^ UInt64(part)) &* 0x9E37_79B9_7F4A_7C15
      return mixed ^ mixed >> 29
    }
  }
}

/// Numbers that depend on a seed alone (SplitMix64), so that a storm can be had again.
struct SeededGenerator: RandomNumberGenerator, Sendable {
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
