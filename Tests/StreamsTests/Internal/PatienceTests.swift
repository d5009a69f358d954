import Testing

@testable import Streams

@Suite("Patience")
struct PatienceTests {
  @Test("under a fast sender a reader looks ever less often, up to a limit")
  func pauses() {
    var patience = Patience()
    let pauses = (0..<8).map { _ in
      defer { patience.hasFound() }
      return patience.pauses
    }
    #expect(pauses == [1, 2, 4, 8, 16, 16, 16, 16])
    patience.waits()
    #expect(patience.pauses == 1)
  }

  @Test("one that waited in vain waits at once the next times, and tries again now and then")
  func looks() {
    var patience = Patience()
    let looks = (0..<33).map { _ in
      defer { patience.waits() }
      return patience.looks
    }
    #expect(looks.indices.filter { looks[$0] == 64 } == [0, 16, 32])
    #expect(looks.filter { $0 == 1 }.count == 30)
  }

  @Test("one that found something by looking looks longer the next time, too")
  func success() {
    var patience = Patience()
    patience.waits()
    #expect(patience.looks == 1)
    patience.hasFound()
    #expect(patience.looks == 64)
  }
}
