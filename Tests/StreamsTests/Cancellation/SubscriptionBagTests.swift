import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("SubscriptionBag")
struct SubscriptionBagTests {
  @Test("Cancelling the bag cancels what is in it, in order, once")
  func cancel() {
    let bag = SubscriptionBag()
    let teardowns = Log<Int>()
    for index in 0..<40 { Subscription { teardowns.note(index) }.store(in: bag) }
    #expect(teardowns.count == 0)
    bag.cancel()
    bag.cancel()
    #expect(teardowns.entries == Array(0..<40))
  }

  @Test("CAN-07: adding to a bag that is cancelled cancels the newcomer at once")
  func late() {
    let bag = SubscriptionBag()
    bag.cancel()
    let subject = Subject<Int, Never>(initial: 1)
    let token = subject.subscribe { _ in }
    token.store(in: bag)
    #expect(!token.isActive)
    #expect(subject.observerCount == 0)
  }

  @Test("Releasing the bag cancels")
  func release() {
    let subject = Subject<Int, Never>()
    var bag: SubscriptionBag? = SubscriptionBag()
    if let bag {
      subject.subscribe { _ in }.store(in: bag)
      subject.subscribe { _ in }.store(in: bag)
    }
    #expect(subject.observerCount == 2)
    bag = nil
    #expect(subject.observerCount == 0)
  }

  @Test("Subscriptions that have ended are dropped as the bag grows, those that run stay")
  func sweep() {
    struct Reference: Sendable {
      weak let token: Subscription?
    }
    let bag = SubscriptionBag()
    let kept = Counter()
    let subject = Subject<Int, Never>()
    subject.subscribe { _ in kept.increment() }.store(in: bag)
    let references = (0..<1_000).map { _ in
      let token = Subscription {}
      bag.insert(token)
      token.cancel()
      return Reference(token: token)
    }
    #expect(references.count { $0.token != nil } <= 16)
    subject.send(1)
    #expect(kept.value == 1)
    bag.cancel()
  }

  @Test("A teardown may insert, cancel and release: no lock is held")
  func reentrant() {
    let bag = Box(SubscriptionBag())
    let order = Log<String>()
    guard let contents = bag.value else { return }
    contents.insert(
      Subscription { [weak contents] in
        order.note("first")
        contents?.insert(Subscription { order.note("newcomer") })
        contents?.cancel()
        bag.value = nil
      }
    )
    contents.insert(Subscription { order.note("second") })
    contents.cancel()
    #expect(order.entries == ["first", "newcomer", "second"])
  }

  @Test("Inserting against cancelling: every subscription is cancelled exactly once")
  func race() async {
    for _ in 0..<rounds(1_500) {
      let bag = SubscriptionBag()
      let teardowns = Counter()
      await Threads.run(
        { for _ in 0..<40 { bag.insert(Subscription { teardowns.increment() }) } },
        { for _ in 0..<40 { Subscription { teardowns.increment() }.store(in: bag) } },
        { bag.cancel() }
      )
      #expect(teardowns.value == 80)
    }
  }
}
