import Shapes

/// What was asked for on the command line.
struct Options {
  var rounds = 25
  var row: String?
  var shape: Shape?
  var events: Int?

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let option = arguments.next() {
      guard let value = arguments.next() else { throw Misuse(problem: "\(option) needs a value") }
      switch option {
      case "--rounds": rounds = try Self.number(value, for: option)
      case "--events": events = try Self.number(value, for: option)
      case "--row": row = value
      case "--shape":
        shape = Shape.all.first { $0.name == value }
        if shape == nil {
          let names = Shape.all.map(\.name).joined(separator: ", ")
          throw Misuse(problem: "there is no shape \(value), but \(names)")
        }
      default: throw Misuse(problem: "unknown option \(option): --rounds, --row, --shape, --events")
      }
    }
  }

  private static func number(_ text: String, for option: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw Misuse(problem: "\(option) needs a positive number") }
    return number
  }
}

/// An option that does not exist or has no proper value.
struct Misuse: Error, CustomStringConvertible {
  let problem: String

  var description: String { problem }
}
