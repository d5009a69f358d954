/// The lines in a sequence of chunks of bytes.
struct Lines<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable where Chunks.Element == [UInt8] {
  let chunks: Chunks

  func makeAsyncIterator() -> Iterator {
    Iterator(chunks: chunks.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private var chunk: ArraySlice<UInt8> = []
    private var framer = LineFramer()

    fileprivate init(chunks: Chunks.AsyncIterator) {
      self.chunks = chunks
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Chunks.Failure) -> Line? {
      while true {
        while let byte = chunk.popFirst() {
          if let line = framer.append(byte) { return line }
        }
        guard let next = try await chunks.next(isolation: actor) else { return framer.finish() }
        chunk = next[...]
      }
    }

    mutating func next() async throws(Chunks.Failure) -> Line? {
      try await next(isolation: nil)
    }
  }
}
