/// Which talkers have a fix, by what their sentences say.
///
/// A receiver that has lost its fix, or that simulates one, may go on to send positions and speeds in sentences that do
/// not say so themselves, such as an old `VTG`. So nothing of a talker counts while the last sentence of any of its
/// kinds has said that there is no fix.
struct FixStatus: Equatable, Sendable {
  /// The kinds of sentences that tell of a fix.
  private static let formatters: Set<Substring> = ["RMC", "GGA", "GLL", "VTG"]

  /// The kinds of sentences that deny a fix, by their talkers.
  private var denials: [Substring: Set<Substring>] = [:]

  /// Takes in a sentence, and returns whether a position or a speed in it counts.
  mutating func admits(_ sentence: Sentence) -> Bool {
    guard let formatter = sentence.formatter, Self.formatters.contains(formatter) else { return true }
    switch sentence.hasFix {
    case true?: denials[sentence.talker]?.remove(formatter)
    case false?: denials[sentence.talker, default: []].insert(formatter)
    case nil: break
    }
    return denials[sentence.talker]?.isEmpty ?? true
  }
}

extension Sentence {
  /// The two letters of who sends it.
  var talker: Substring { address.prefix(2) }

  /// Whether its talker has a fix; `nil` if the sentence does not say. A fix that is simulated is none.
  var hasFix: Bool? {
    switch formatter {
    case "RMC": hasFix(status: 1, mode: 11)
    case "GLL": hasFix(status: 5, mode: 6)
    case "VTG": text(8).map { !Self.isNoFix(mode: $0) }
    // 0 is none, 8 is a simulator.
    case "GGA": number(5).map { $0 > 0 && $0 != 8 }
    default: nil
    }
  }

  /// Older devices send no mode.
  private func hasFix(status: Int, mode: Int) -> Bool? {
    switch text(status) {
    case "A": !(text(mode).map(Self.isNoFix) ?? false)
    case "V": false
    default: nil
    }
  }

  /// `N` is none, `S` is a simulator.
  private static func isNoFix(mode: String) -> Bool { mode == "N" || mode == "S" }
}
