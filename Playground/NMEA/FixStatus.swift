/// Which talkers say that their fix is none, for the sentences that do not say so themselves.
///
/// A receiver that has lost its fix, or that simulates one, may go on to send positions and speeds in sentences without a
/// status of their own, such as an old `VTG`.
struct FixStatus: Equatable, Sendable {
  /// The talkers whose last `RMC` was void.
  private var void: Set<Substring> = []
  /// The talkers whose last `GGA` came from a simulator.
  private var simulating: Set<Substring> = []

  /// Takes in a sentence, and returns whether a position or a speed in it counts.
  mutating func admits(_ sentence: Sentence) -> Bool {
    let talker = sentence.address.prefix(2)
    switch sentence.formatter {
    case "RMC": set(sentence.text(1) != "A" || !sentence.isFixMode(11), for: talker, in: \.void)
    case "GGA": set(sentence.number(5) == 8, for: talker, in: \.simulating)
    case "GLL": if sentence.text(5) != nil { return !simulating.contains(talker) }
    case "VTG": break
    default: return true
    }
    return !void.contains(talker) && !simulating.contains(talker)
  }

  private mutating func set(
    _ isPart: Bool,
    for talker: Substring,
    in set: WritableKeyPath<FixStatus, Set<Substring>>
  ) {
    if isPart { self[keyPath: set].insert(talker) } else { self[keyPath: set].remove(talker) }
  }
}

extension Sentence {
  /// Whether the mode indicator, which older devices do not send, admits a fix: `N` is none, `S` is a simulator.
  func isFixMode(_ index: Int) -> Bool {
    text(index) != "N" && text(index) != "S"
  }
}
