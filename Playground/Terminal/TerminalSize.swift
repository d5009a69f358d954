/// The size of a terminal, in characters.
struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int
}
