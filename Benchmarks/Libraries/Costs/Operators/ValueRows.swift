import CostRows
import Streams

/// The operators with one input that keep nothing or little.
let valueRows: [CostRow] =
  passingRows + keepingRows + [
    .passing("prepend.passing", "prepend, a value of the stream behind", should: 60, peer: Peer("OpenCombine", 1_947)) {
      $0.prepend(1).dropFirst()
    },
    .passing("handleEvents", "handleEvents(onValue:) (two callbacks)", should: 90, peer: Peer("OpenCombine", 1_755)) {
      [sink = Sink()] in $0.handleEvents(onValue: { sink.see($0) })
    },
    .stepping(
      "prepend.value",
      "prepend, subscribe and one prepended value",
      should: 2_000,
      note: "a subscription is made for each"
    ) { _, tally in
      let stream = Observable<Int, Never>.empty.prepend(1)
      return ({ _ in _ = stream.subscribe { tally.see($0) } }, stream)
    },
  ]

private let passingRows: [CostRow] = [
  .passing("map", "map", should: 80, peer: Peer("OpenCombine", 1_748)) { $0.map { $0 &* 3 } },
  .passing("map.failing", "map with a typed throwing closure", should: 80, failure: Broken.self) {
    $0.map { value throws(Broken) in if value < 0 { throw Broken() } else { value } }
  },
  .passing("map.string", "map of a String", should: 80) { $0.map { $0 < 0 ? "below" : "not below" } },
  .passing("map.x10", "ten maps in a row", should: 380, peer: Peer("OpenCombine", 3_350)) {
    $0.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
      .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
  },
  .passing("filter.pass", "filter, passes", should: 80, peer: Peer("OpenCombine", 1_717)) { $0.filter { $0 >= 0 } },
  .passing("filter.reject", "filter, rejects", should: 80, delivers: .none) { $0.filter { $0 < 0 } },
  .passing("compactMap", "compactMap", should: 80, peer: Peer("OpenCombine", 2_714)) {
    $0.compactMap { $0 < 0 ? nil : $0 }
  },
  .passing("prefix.while", "prefix(while:)", should: 80, peer: Peer("OpenCombine", 4_639)) { $0.prefix { $0 >= 0 } },
  .passing("setFailureType", "setFailureType, a value passes", should: 80) {
    $0.setFailureType(to: Broken.self).catch { _ in Observable<Int, Never>.empty }
  },
  .passing("mapError", "mapError, a value passes", should: 80, peer: Peer("OpenCombine", 1_699), failure: Broken.self) {
    $0.mapError { $0 }
  },
  .passing("catch", "catch, a value passes", should: 80, peer: Peer("OpenCombine", 1_866), failure: Broken.self) {
    $0.catch { _ in .empty }
  },
]

private let keepingRows: [CostRow] = [
  .passing("scan", "scan", should: 110, peer: Peer("OpenCombine", 1_876)) { $0.scan(0) { $0 &+ $1 } },
  .passing("scan.into", "scan(into:)", should: 110, peer: Peer("RxSwift", 5_602)) { $0.scan(into: 0) { $0 &+= $1 } },
  .passing("scan.into.array", "scan(into:) with an array as the result", should: 130) {
    $0.scan(into: Array(repeating: 0, count: 16)) { $0[$1 & 15] = $1 }
  },
  .passing("distinct", "distinctUntilChanged, differs", should: 110, peer: Peer("RxSwift", 6_184)) {
    $0.distinctUntilChanged()
  },
  .passing("distinct.same", "distinctUntilChanged, equal", should: 80, delivers: .none) {
    $0.map { _ in 1 }.distinctUntilChanged().dropFirst()
  },
  .passing("distinct.closure", "distinctUntilChanged(by: closure)", should: 110) {
    $0.distinctUntilChanged { $0 == $1 }
  },
  .passing("distinct.keyPath", "distinctUntilChanged(by: key path)", should: 110) {
    $0.map { Reading(number: $0) }.distinctUntilChanged(by: \.number)
  },
  .passing("distinct.string", "distinctUntilChanged of Strings", should: 130) {
    $0.map { $0 & 1 == 0 ? "even" : "odd" }.distinctUntilChanged()
  },
  .passing("prefix.count", "prefix(count)", should: 110, peer: Peer("OpenCombine", 1_563)) { $0.prefix(1_000_000) },
  .passing("dropFirst.dropping", "dropFirst, a dropped one", should: 80, delivers: .none) { $0.dropFirst(1_000_000) },
  .passing("dropFirst.passing", "dropFirst, past the dropped ones", should: 110, peer: Peer("OpenCombine", 1_555)) {
    $0.dropFirst(0)
  },
]

private struct Reading: Sendable {
  var name: Int = 7
  var number: Int
}
