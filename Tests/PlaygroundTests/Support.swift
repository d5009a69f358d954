import Testing

@testable import Playground

/// A line with a correct checksum around `body`, which lacks the `$`, the `*` and the checksum.
func line(_ body: String, start: String = "$") -> [UInt8] {
  let digits = String(Sentence.checksum(of: body.utf8), radix: 16, uppercase: true)
  return Array("\(start)\(body)*\(digits.count == 1 ? "0" : "")\(digits)".utf8)
}

/// The sentence with this body.
func sentence(_ body: String) throws -> Sentence { try #require(Sentence(line(body))) }

/// What a sentence with this body means.
func event(_ body: String) throws -> NavigationEvent {
  NavigationEvent(try sentence(body))
}

/// The lines in bytes.
func lines(in bytes: [UInt8]) -> [[UInt8]] {
  var framer = LineFramer()
  let lines = bytes.compactMap { framer.append($0) }
  return lines + [framer.finish()].compactMap { $0 }
}

/// The state after these events.
func state(after events: [NavigationEvent]) -> NavigationState {
  events.reduce(into: NavigationState()) { $0.apply($1) }
}

/// The state after sentences with these bodies.
func state(afterSentences bodies: String...) throws -> NavigationState {
  state(after: try bodies.map { try event($0) })
}

/// Chunks of bytes as they might come from a file.
struct Chunks: AsyncSequence, Sendable {
  let chunks: [[UInt8]]

  init(_ bytes: [UInt8], size: Int) {
    chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0...].prefix(size)) }
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<[UInt8]>

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> [UInt8]? {
      rest.popFirst()
    }

    mutating func next() async throws(Never) -> [UInt8]? {
      rest.popFirst()
    }
  }
}

extension Double {
  /// Whether the two agree within a billionth.
  func isClose(to other: Double) -> Bool { (self - other).magnitude < 1e-9 }
}
