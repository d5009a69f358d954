import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("SerialSubscription")
struct SerialSubscriptionTests {
  private let parent = Lifetime()

  @Test("A newcomer replaces and cancels what is there; the parent's end cancels and closes")
  func replace() {
    let holder = SerialSubscription(of: parent)
    let tokens = (0..<3).map { _ in Subscription {} }
    holder.replace(with: tokens[0], generation: 0)
    holder.replace(with: tokens[1], generation: 1)
    #expect(tokens.map(\.isActive) == [false, true, true])
    parent.terminate()
    #expect(!tokens[1].isActive)
    holder.replace(with: tokens[2], generation: 2)
    #expect(!tokens[2].isActive)
  }

  @Test("A token for an earlier generation comes too late and is cancelled")
  func outOfGeneration() {
    let holder = SerialSubscription(of: parent)
    let newer = Subscription {}
    let older = Subscription {}
    holder.replace(with: newer, generation: 2)
    holder.replace(with: older, generation: 1)
    #expect(newer.isActive)
    #expect(!older.isActive)
    holder.replace(with: nil, generation: 2)
    #expect(!newer.isActive)
  }

  @Test("It owns what it holds, and cancelling may use it: no lock is held")
  func reentrant() {
    let holder = SerialSubscription(of: parent)
    let order = Log<String>()
    holder.replace(
      with: Subscription {
        order.note("first")
        holder.replace(with: Subscription { order.note("nested") }, generation: 5)
      },
      generation: 0
    )
    #expect(order.count == 0)
    holder.replace(with: Subscription { order.note("second") }, generation: 1)
    #expect(order.entries == ["first", "second"])
    parent.terminate()
    #expect(order.entries == ["first", "second", "nested"])
  }

  @Test("Filling against closing: nothing stays active")
  func race() async {
    for _ in 0..<500 {
      let parent = Lifetime()
      let holder = SerialSubscription(of: parent)
      let cancelled = Counter()
      await Threads.run(
        { for next in 0..<10 { holder.replace(with: Subscription { cancelled.increment() }, generation: next) } },
        { parent.terminate() }
      )
      #expect(cancelled.value == 10)
    }
  }
}
