import CostRows
import Streams

/// Streams that are made by hand.
let producerRows: [CostRow] = [
  CostRow(
    "producer.packet",
    "Producer.send(contentsOf:), per value of packets of 16",
    should: 40,
    note: "an array for each packet"
  ) { _ in
    let tally = Tally()
    let kept = Kept()
    let stream = Observable<Int, Never> { kept.producer = $0 }
    let token = stream.subscribe { _ in tally.note() }
    return { count in
      tally.count = 0
      guard let producer = kept.producer else { return }
      for packet in 0..<count / 16 { producer.send(contentsOf: packet..<packet + 16) }
      precondition(tally.count == count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("producer", "Producer.send in a stream made by hand", should: 40, peer: Peer("RxSwift", 1_775)) { _ in
    let tally = Tally()
    let kept = Kept()
    let stream = Observable<Int, Never> { kept.producer = $0 }
    let token = stream.subscribe { _ in tally.note() }
    return { count in
      tally.count = 0
      guard let producer = kept.producer else { return }
      for value in 0..<count { producer.send(value) }
      precondition(tally.count == count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "producer.subscribe",
    "subscribe to a stream made by hand that sends one value and finishes",
    should: 1_500,
    peer: Peer("RxSwift", 22_866),
    note: "its memory: a subscription, a producer and its queue; and the type of the end"
  ) { _ in
    let tally = Tally()
    let stream = Observable<Int, Never> { producer in
      producer.send(1)
      producer.finish()
    }
    return { count in
      tally.count = 0
      for _ in 0..<count { stream.subscribe { _ in tally.note() }.cancel() }
      precondition(tally.count == count)
    }
  },
  CostRow("producer.isActive", "Producer.isActive, read", should: 30) { _ in
    let kept = Kept()
    let sink = Sink()
    let token = Observable<Int, Never> { kept.producer = $0 }.subscribe { _ in }
    return { count in
      guard let producer = kept.producer else { return }
      for _ in 0..<count { sink.see(producer.isActive ? 1 : 0) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "producer.teardown",
    "subscribe to a stream made by hand with onTermination, and cancel",
    should: 2_500,
    note: "its memory"
  ) {
    _ in
    let tally = Tally()
    let stream = Observable<Int, Never> { producer in producer.onTermination { tally.note() } }
    return { count in
      tally.count = 0
      for _ in 0..<count { stream.subscribe { _ in }.cancel() }
      precondition(tally.count == count)
    }
  },
]

/// Holds the producer of a row. It is `@unchecked Sendable` because one thread uses it.
private final class Kept: @unchecked Sendable {
  var producer: Producer<Int, Never>?
}
