/// What happens to owners, and when: the same for the same seed.
struct KillPlan: Sequence, IteratorProtocol, Sendable {
  enum Act: CaseIterable, Sendable {
    /// An owner is killed, and another one started at once.
    case killOwner
    /// An owner is stopped for longer than its lease, and continued.
    case stopOwner
    /// One more owner comes.
    case addOwner
    /// An owner ends in order.
    case endOwner
  }

  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> (pause: Duration, act: Act)? {
    let pause = Duration.milliseconds(Int.random(in: 200...800, using: &random))
    let act: Act =
      switch Int.random(in: 0..<100, using: &random) {
      case ..<50: .killOwner
      case ..<62: .stopOwner
      case ..<82: .addOwner
      default: .endOwner
      }
    return (pause, act)
  }
}
