import Testing

@testable import RASPPrimitives

@Suite("WaitStrategy")
struct WaitStrategyTests {
  @Test("a reader looks at once, and yields first only when it has missed a value")
  func yields() {
    var strategy = WaitStrategy()
    #expect(strategy.yields(isIsolated: false) == 0)
    strategy.found(hasReplaced: false)
    #expect(strategy.yields(isIsolated: false) == 0)
    strategy.found(hasReplaced: true)
    #expect(strategy.yields(isIsolated: false) == 1)
    strategy.found(hasReplaced: false)
    #expect(strategy.yields(isIsolated: false) == 0)
    strategy.found(hasReplaced: true)
    strategy.suspends()
    #expect(strategy.yields(isIsolated: false) == 0)
  }

  @Test("a reader that misses value after value yields up to three times, on an actor once")
  func fastSender() {
    var strategy = WaitStrategy()
    let yields = (0..<5).map { _ in
      strategy.found(hasReplaced: true)
      return [false, true].map { strategy.yields(isIsolated: $0) }
    }
    #expect(yields == [[1, 1], [2, 1], [3, 1], [3, 1], [3, 1]])
  }

  @Test("a reader that looked in vain suspends at once the next times, and tries again", arguments: [true, false])
  func looks(isIsolated: Bool) {
    var strategy = WaitStrategy()
    let looks = (0..<33).map { _ in
      defer { strategy.suspends() }
      return strategy.looks(isIsolated: isIsolated)
    }
    #expect(looks.indices.filter { looks[$0] == (isIsolated ? 2 : 64) } == [0, 16, 32])
    #expect(looks.filter { $0 == 1 }.count == 30)
  }

  @Test("a reader that found a value by looking looks longer the next time, too")
  func success() {
    var strategy = WaitStrategy()
    strategy.suspends()
    #expect(strategy.looks(isIsolated: false) == 1)
    strategy.found(hasReplaced: false)
    #expect(strategy.looks(isIsolated: false) == 64)
  }
}
