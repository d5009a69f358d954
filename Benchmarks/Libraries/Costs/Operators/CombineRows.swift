import CostRows
import Streams

/// The operators that combine the values of several streams.
let combineRows: [CostRow] = [
  .combining("combineLatest.2", "combineLatest of 2", peer: Peer("RxSwift", 9_061)) {
    Observable.combineLatest($0[0], $0[1]).map { $0.0 }
  },
  .combining("combineLatest.3", "combineLatest of 3", peer: Peer("ReactiveSwift", 9_445)) {
    Observable.combineLatest($0[0], $0[1], $0[2]).map { $0.0 }
  },
  .combining("combineLatest.4", "combineLatest of 4", peer: Peer("ReactiveSwift", 9_739)) {
    Observable.combineLatest($0[0].observable, $0[1].observable, $0[2].observable, $0[3].observable).map { $0.0 }
  },
  .combining("combineLatest.8", "combineLatest of 8", peer: Peer("RxSwift", 12_801)) {
    Observable.combineLatest(
      $0[0].observable,
      $0[1].observable,
      $0[2].observable,
      $0[3].observable,
      $0[4].observable,
      $0[5].observable,
      $0[6].observable,
      $0[7].observable
    ).map { $0.0 }
  },
  .combining(
    "combineLatest.9",
    "combineLatest of 9 (a pack)",
    note: "The compiler does not specialise what a loop over a pack calls; up to eight streams have rows of their own."
  ) {
    Observable.combineLatest(
      $0[0].observable,
      $0[1].observable,
      $0[2].observable,
      $0[3].observable,
      $0[4].observable,
      $0[5].observable,
      $0[6].observable,
      $0[7].observable,
      $0[8].observable
    ).map { $0.0 }
  },
  .combining("combineLatest.2.observable", "combineLatest of 2, given as Observables") {
    Observable.combineLatest($0[0].observable, $0[1].observable).map { $0.0 }
  },
  .combining(
    "combineLatest.2.strings",
    "combineLatest of 2 Strings",
    note: "Each value is kept and copied, which counts its references."
  ) {
    Observable.combineLatest($0[0].map { $0 < 0 ? "below" : "not below" }, $0[1].map { $0 < 0 ? "below" : "not" })
      .map { $0.0 }
  },
  .combining(
    "combineLatest.subscribe",
    "subscribe to a combineLatest of 2 and cancel",
    should: 3_000,
    note: "a queue and its state, whose type is looked up at its release; each input has a lifetime and an observer"
  ) {
    Observable.combineLatest($0[0], $0[1]).map { $0.0 }
  },
  .combining("withLatest", "withLatest(from:), the main stream sends", peer: Peer("RxSwift", 7_083)) {
    $0[0].withLatest(from: $0[1]).map { $0.0 }
  },
  .combining(
    "withLatest.other",
    "withLatest(from:), the other stream sends",
    peer: Peer("RxSwift", 5_483),
    delivers: .none
  ) {
    $0[1].withLatest(from: $0[0]).map { $0.0 }
  },
  .combining("prefix.until", "prefix(until:), a value passes", peer: Peer("OpenCombine", 1_923)) {
    $0[0].prefix(until: Observable<Int, Never>.never)
  },
  .combining(
    "sample.on.value",
    "sample(on:), a value",
    should: 130,
    peer: Peer("ReactiveSwift", 3_807),
    delivers: .none
  ) {
    $0[0].sample(on: Subject<Int, Never>())
  },
  .stepping("sample.on.tick", "sample(on:), a value and a tick", should: 190, peer: Peer("RxSwift", 11_711)) {
    _,
    tally in
    let (subject, ticks) = (Subject<Int, Never>(), Subject<Int, Never>())
    let token = subject.sample(on: ticks).subscribe { tally.see($0) }
    return (
      {
        subject.send($0)
        ticks.send($0)
      }, (subject, ticks, token)
    )
  },
]

extension CostRow {
  /// A row in which the first of nine subjects sends; each of the others has sent something.
  @inline(__always)
  fileprivate static func combining<Output: Sendable>(
    _ name: String,
    _ operation: String,
    should: Int = 120,
    peer: Peer? = nil,
    note: String = "",
    delivers delivered: Delivered = .all,
    of combine: @escaping @Sendable ([Subject<Int, Never>]) -> Observable<Output, Never>
  ) -> CostRow {
    CostRow(name, operation, should: should, peer: peer, note: note) { _ in
      let subjects = (0..<9).map { _ in Subject<Int, Never>() }
      let tally = Tally()
      let stream = combine(subjects)
      if name.hasSuffix(".subscribe") {
        return { count in
          for _ in 0..<count { stream.subscribe { tally.see($0) }.cancel() }
          withExtendedLifetime(subjects) {}
        }
      }
      let token = stream.subscribe { tally.see($0) }
      for subject in subjects.reversed() { subject.send(0) }
      tally.reset()
      return { count in
        for value in 0..<count { subjects[0].send(value) }
        tally.expect(delivered.of(count))
        withExtendedLifetime(token) {}
      }
    }
  }
}
