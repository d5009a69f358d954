// What the blocks of the landing page of `Streams` use and do not show.

enum Input: Sendable {
  case tick(Int)
  case key(Character)
}

struct Connection: Sendable {
  var lines: AsyncStream<String>
}

let connection = Connection(lines: AsyncStream { nil })
