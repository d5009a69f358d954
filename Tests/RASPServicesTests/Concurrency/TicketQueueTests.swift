import Testing

@testable import RASPServices

@Suite("TicketQueue")
struct TicketQueueTests {
  private var queue = TicketQueue<String>()

  @Test("Tickets are served in the order in which they were drawn")
  mutating func order() {
    let (a, b, c) = (queue.draw(), queue.draw(), queue.draw())
    #expect(queue.wait(a, "a") == .enter)
    #expect(queue.wait(c, "c") == .wait)
    #expect(queue.wait(b, "b") == .wait)
    #expect(queue.leave() == "b")
    #expect(queue.leave() == "c")
    #expect(queue.leave() == nil)
    #expect(queue.isIdle)
  }

  @Test("A ticket whose owner has not asked yet keeps its position")
  mutating func late() {
    let (a, b, c) = (queue.draw(), queue.draw(), queue.draw())
    #expect(queue.wait(a, "a") == .enter)
    #expect(queue.wait(c, "c") == .wait)
    #expect(queue.leave() == nil)
    #expect(queue.wait(b, "b") == .enter)
    #expect(queue.leave() == "c")
  }

  @Test("A ticket that is given up is passed over, before and after its owner asked")
  mutating func abandoned() {
    let (a, b, c, d) = (queue.draw(), queue.draw(), queue.draw(), queue.draw())
    #expect(queue.wait(a, "a") == .enter)
    #expect(queue.wait(b, "b") == .wait)
    #expect(queue.abandon(b) == "b")
    #expect(queue.abandon(c) == nil)
    #expect(queue.wait(d, "d") == .wait)
    #expect(queue.leave() == "d")
    #expect(queue.wait(c, "c") == .refuse)
    #expect(queue.leave() == nil)
    #expect(queue.isIdle)
  }

  @Test("A ticket that is given up is refused while another is in service")
  mutating func abandonedEarly() {
    let (a, b) = (queue.draw(), queue.draw())
    #expect(queue.wait(a, "a") == .enter)
    #expect(queue.abandon(b) == nil)
    #expect(queue.wait(b, "b") == .refuse)
    #expect(queue.leave() == nil)
    #expect(queue.isIdle)
  }

  @Test("A ticket that is due or inside cannot be given up")
  mutating func due() {
    let (a, b) = (queue.draw(), queue.draw())
    #expect(queue.abandon(a) == nil)
    #expect(queue.wait(a, "a") == .enter)
    #expect(queue.wait(b, "b") == .wait)
    #expect(queue.leave() == "b")
    #expect(queue.abandon(b) == nil)
    #expect(queue.leave() == nil)
    #expect(queue.isIdle)
  }

  @Test("A ticket is let in once, however often it asks")
  mutating func once() {
    let (a, b) = (queue.draw(), queue.draw())
    #expect(queue.wait(a, "a") == .enter)
    #expect(queue.wait(a, "a again") == .refuse)
    #expect(queue.wait(b, "b") == .wait)
    #expect(queue.wait(b, "b again") == .refuse)
    #expect(queue.leave() == "b")
    #expect(queue.wait(a, "a again") == .refuse)
    #expect(queue.wait(b, "b again") == .refuse)
    #expect(queue.leave() == nil)
    #expect(queue.isIdle)
  }
}
