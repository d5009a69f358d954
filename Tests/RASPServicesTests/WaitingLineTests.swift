import Testing

@testable import RASPServices

@Suite("A waiting line")
struct WaitingLineTests {
  private var line = WaitingLine<String>()

  @Test("whoever comes first is served first")
  mutating func order() {
    let (a, b, c) = (line.draw(), line.draw(), line.draw())
    #expect(line.wait(a, "a") == .enter)
    #expect(line.wait(c, "c") == .wait)
    #expect(line.wait(b, "b") == .wait)
    #expect(line.leave() == "b")
    #expect(line.leave() == "c")
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }

  @Test("a place is kept for an owner who has not come yet")
  mutating func late() {
    let (a, b, c) = (line.draw(), line.draw(), line.draw())
    #expect(line.wait(a, "a") == .enter)
    #expect(line.wait(c, "c") == .wait)
    #expect(line.leave() == nil)
    #expect(line.wait(b, "b") == .enter)
    #expect(line.leave() == "c")
  }

  @Test("a place that is given up is passed over, before and after its owner came to wait")
  mutating func abandoned() {
    let (a, b, c, d) = (line.draw(), line.draw(), line.draw(), line.draw())
    #expect(line.wait(a, "a") == .enter)
    #expect(line.wait(b, "b") == .wait)
    #expect(line.abandon(b) == "b")
    #expect(line.abandon(c) == nil)
    #expect(line.wait(d, "d") == .wait)
    #expect(line.leave() == "d")
    #expect(line.wait(c, "c") == .turnAway)
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }

  @Test("a place that is given up is turned away while others are still served")
  mutating func abandonedEarly() {
    let (a, b) = (line.draw(), line.draw())
    #expect(line.wait(a, "a") == .enter)
    #expect(line.abandon(b) == nil)
    #expect(line.wait(b, "b") == .turnAway)
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }

  @Test("a turn that has come cannot be given up")
  mutating func granted() {
    let (a, b) = (line.draw(), line.draw())
    #expect(line.abandon(a) == nil)
    #expect(line.wait(b, "b") == .wait)
    #expect(line.leave() == "b")
    #expect(line.abandon(b) == nil)
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }
}
