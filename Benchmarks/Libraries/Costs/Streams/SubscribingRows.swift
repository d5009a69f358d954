import CostRows
import Streams

/// Subscribers come and leave.
let subscribingRows: [CostRow] = [
  CostRow(
    "subject.subscribe.cancel",
    "subscribe to a Subject and cancel",
    should: 1_000,
    peer: Peer("ReactiveSwift", 9_908),
    sizes: [1, 16, 256, 4_096],
    of: "other subscribers"
  ) { size in
    let subject = Subject<Int, Never>()
    let tokens = (0..<size).map { _ in subject.subscribe { _ in } }
    return { count in
      for _ in 0..<min(count, 256) { subject.subscribe { _ in }.cancel() }
      precondition(subject.observerCount == size)
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "subject.subscribe.keep",
    "subscribe to a Subject, kept; and leave it all at once, per subscriber",
    should: 1_000,
    note: "the memory of a subscription"
  ) { _ in
    let subject = Subject<Int, Never>()
    return { count in
      var tokens: [Subscription] = []
      tokens.reserveCapacity(count)
      for _ in 0..<count { tokens.append(subject.subscribe { _ in }) }
      precondition(subject.observerCount == count)
      tokens = []
    }
  },
  CostRow(
    "subject.subscribe.bag",
    "subscribe to a Subject and store in a SubscriptionBag",
    should: 1_000,
    sizes: [1, 256, 4_096],
    of: "tokens in the bag",
    note: "the memory of a subscription"
  ) { size in
    let subject = Subject<Int, Never>()
    let bag = SubscriptionBag()
    for _ in 0..<size { subject.subscribe { _ in }.store(in: bag) }
    return { count in
      for _ in 0..<min(count, 256) { subject.subscribe { _ in }.store(in: bag) }
      precondition(subject.observerCount >= size + min(count, 256))
    }
  },
  CostRow("map.subscribe.cancel", "subscribe to a map and cancel", should: 1_300, peer: Peer("OpenCombine", 18_389)) {
    _ in
    let subject = Subject<Int, Never>()
    let mapped = subject.map { $0 &+ 1 }
    return { count in
      for _ in 0..<count { mapped.subscribe { _ in }.cancel() }
      precondition(subject.observerCount == 0)
    }
  },
  CostRow("deferred.subscribe", "subscribe to a deferred subject and cancel", should: 1_500) { _ in
    let subject = Subject<Int, Never>()
    let deferred = Observable<Int, Never>.deferred { subject.observable }
    return { count in
      for _ in 0..<count { deferred.subscribe { _ in }.cancel() }
      precondition(subject.observerCount == 0)
    }
  },
  CostRow("subject.observable", "Subject.observable, made", should: 150) { _ in
    let subject = Subject<Int, Never>()
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(subject.observable) }
    }
  },
  CostRow("subscription.closure", "Subscription of a closure, made and cancelled", should: 700) { _ in
    let tally = Tally()
    return { count in
      tally.count = 0
      for _ in 0..<count { Subscription { tally.note() }.cancel() }
      precondition(tally.count == count)
    }
  },
  CostRow("subscription.isActive", "Subscription.isActive, read", should: 20) { _ in
    let subject = Subject<Int, Never>()
    let token = subject.subscribe { _ in }
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(token.isActive ? 1 : 0) }
      withExtendedLifetime(subject) {}
    }
  },
  CostRow(
    "subject.observerCount.read",
    "Subject.observerCount, read",
    should: 30,
    sizes: [1, 16, 256],
    of: "subscribers"
  ) {
    size in
    let subject = Subject<Int, Never>()
    let tokens = (0..<size).map { _ in subject.subscribe { _ in } }
    let sink = Sink()
    return { count in
      for _ in 0..<min(count, 256) { sink.see(subject.observerCount) }
      withExtendedLifetime(tokens) {}
    }
  },
]
