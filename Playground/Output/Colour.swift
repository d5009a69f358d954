/// The colours of a picture, as a terminal takes them.
enum Colour: String, Sendable {
  case plain = "0"
  case green = "32"
  case yellow = "33"
  case red = "31"
  case faint = "2"
  case struck = "2;9"

  /// The colour of a part of what there is.
  init(ofHeight height: Double) {
    self = height < 0.6 ? .green : height < 0.85 ? .yellow : .red
  }

  /// What switches it on.
  var code: String { "\u{1B}[\(rawValue)m" }

  /// A text in the colour, if colours are wanted.
  func text(_ text: String, _ isWanted: Bool) -> String {
    isWanted ? code + text + Colour.plain.code : text
  }
}
