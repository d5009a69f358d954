/// A compass as a tape that runs through a window: the heading is in the middle.
///
/// ```
///    ·    NW    ·    ·    N    ·    ·    NE
///                       ▲ 2.2° true
/// ```
struct CompassTape: Equatable, Sendable {
  private static let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
  private static let degreesPerColumn = 3.0

  let heading: Heading

  func lines(columns: Int) -> [String] {
    guard columns >= 10 else { return [] }
    let middle = columns / 2
    var tape = Array(repeating: Character(" "), count: columns)
    for mark in stride(from: 0, to: 360, by: 15) {
      // The shorter way from the heading to the mark.
      let away = Double(mark) - heading.degrees
      let offset = away - (away / 360).rounded() * 360
      let column = middle + Int((offset / Self.degreesPerColumn).rounded())
      let name = mark.isMultiple(of: 45) ? Self.names[mark / 45] : "·"
      for (index, character) in name.enumerated() where tape.indices.contains(column + index - name.count / 2) {
        tape[column + index - name.count / 2] = character
      }
    }
    return [String(tape), String(repeating: " ", count: middle) + "▲ \(heading)"]
  }
}
