import Foundation

/// Texts in the columns of a terminal, of which a character takes none, one or two.
extension Character {
  /// East Asian characters and emoji take two columns, a mark without a letter takes none.
  var columns: Int {
    guard let first = unicodeScalars.first, first.value >= 0x300 else { return 1 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The variation selector 16 asks for the emoji.
    let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
    return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks of wide characters in Unicode's East Asian Width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}

extension String {
  /// How many columns the text takes; it has no colours.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Filled up with spaces in front to so many columns.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - columns)) + self
  }

  /// Filled up with spaces to so many columns. Foundation's `padding(toLength:withPad:startingAt:)` would cut off
  /// what is longer.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - columns))
  }

  /// The first columns of a line. Colours take none.
  func clipped(to columns: Int) -> String {
    guard utf8.count > columns else { return self }
    var (text, rest, isEscape) = ("", columns, false)
    for character in self {
      if character == "\u{1B}" { isEscape = true }
      if isEscape {
        text.append(character)
        if character.isLetter { isEscape = false }
      } else {
        // Nothing follows a wide character that does not fit.
        rest = character.columns <= rest ? rest : 0
        if rest > 0 { text.append(character) }
        rest -= rest > 0 ? character.columns : 0
      }
    }
    return text
  }

  /// The first parts of a list, `a, b, c`, that fit into so many columns; what is longer than that by itself is
  /// clipped.
  func listClipped(to columns: Int) -> String {
    var text = self
    while text.columns > columns, let comma = text.range(of: ", ", options: .backwards) {
      text.removeSubrange(comma.lowerBound...)
    }
    return text.clipped(to: columns)
  }
}
