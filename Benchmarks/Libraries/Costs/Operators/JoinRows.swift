import CostRows
import Streams

/// The operators that follow several streams, or streams that a stream sends.
let joinRows: [CostRow] =
  [
    .passing("merge.with", "merge(with:)", should: 120, peer: Peer("RxSwift", 5_260)) {
      $0.merge(with: Observable<Int, Never>.never)
    },
    .stepping(
      "merge.list",
      "merge of a list",
      should: 120,
      peer: Peer("RxSwift", 5_263),
      sizes: [2, 8, 32],
      of: "streams"
    ) {
      size,
      tally in
      let subjects = (0..<size).map { _ in Subject<Int, Never>() }
      let token = Observable.merge(subjects.map(\.observable)).subscribe { tally.see($0) }
      return ({ subjects[$0 % size].send($0) }, (subjects, token))
    },
    .stepping(
      "merge.subscribe",
      "subscribe to a merge of a list and cancel",
      should: 3_000,
      peer: Peer("RxSwift", 47_394),
      sizes: [2, 8, 32],
      of: "streams",
      note: "O(streams)",
      delivers: .none
    ) { size, tally in
      let subjects = (0..<size).map { _ in Subject<Int, Never>() }
      let merged = Observable.merge(subjects.map(\.observable))
      return ({ _ in merged.subscribe { tally.see($0) }.cancel() }, subjects)
    },
  ] + innerRows + concatRows

private let innerRows: [CostRow] = [
  .stepping(
    "merge.inner.value",
    "merge() of inner streams, a value of one",
    should: 120,
    peer: Peer("OpenCombine", 2_060),
    sizes: [1, 4, 16],
    of: "inner streams"
  ) { size, tally in
    let (outer, inner) = (Subject<Observable<Int, Never>, Never>(), (0..<size).map { _ in Subject<Int, Never>() })
    let token = outer.merge().subscribe { tally.see($0) }
    for stream in inner { outer.send(stream.observable) }
    return ({ inner[$0 % size].send($0) }, (outer, inner, token))
  },
  .stepping(
    "merge.inner.new",
    "merge() of a new one-value stream for each value (flatMap)",
    should: 2_000,
    peer: Peer("OpenCombine", 8_939),
    note: "a stream of its own for each value"
  ) { _, tally in
    let subject = Subject<Int, Never>()
    let token = subject.map { Observable<Int, Never>(CollectionOfOne($0)) }.merge().subscribe { tally.see($0) }
    return ({ subject.send($0) }, (subject, token))
  },
  .stepping(
    "switchToLatest.value",
    "switchToLatest, a value of the present inner",
    should: 120,
    peer: Peer("OpenCombine", 1_871)
  ) { _, tally in
    let (outer, inner) = (Subject<Observable<Int, Never>, Never>(), Subject<Int, Never>())
    let token = outer.switchToLatest().subscribe { tally.see($0) }
    outer.send(inner.observable)
    return ({ inner.send($0) }, (outer, inner, token))
  },
  .stepping(
    "switchToLatest.new",
    "switchToLatest to a new one-value stream for each value",
    should: 2_000,
    peer: Peer("OpenCombine", 8_439),
    note: "a stream of its own for each value"
  ) { _, tally in
    let subject = Subject<Int, Never>()
    let token = subject.map { Observable<Int, Never>(CollectionOfOne($0)) }.switchToLatest().subscribe { tally.see($0) }
    return ({ subject.send($0) }, (subject, token))
  },
  .stepping(
    "switchToLatest.new.subject",
    "switchToLatest to a Subject(initial:) for each value",
    should: 2_000,
    peer: Peer("RxSwift", 18_296),
    note: "a stream of its own for each value"
  ) { _, tally in
    let (subject, inner) = (Subject<Int, Never>(), Subject<Int, Never>(initial: 1))
    let token = subject.map { _ in inner.observable }.switchToLatest().subscribe { tally.see($0) }
    return ({ subject.send($0) }, (subject, inner, token))
  },
]

private let concatRows: [CostRow] = [
  .passing("concat.first", "concat of two, a value of the first", should: 120, peer: Peer("OpenCombine", 1_959)) {
    .concat($0, .never)
  },
  .stepping(
    "concat.inner.value",
    "concat() of inner streams, a value of the present one",
    should: 120,
    peer: Peer("RxSwift", 5_680)
  ) { _, tally in
    let (outer, inner) = (Subject<Observable<Int, Never>, Never>(), Subject<Int, Never>())
    let token = outer.concat().subscribe { tally.see($0) }
    outer.send(inner.observable)
    return ({ inner.send($0) }, (outer, inner, token))
  },
  .stepping(
    "concat.inner.new",
    "concat() of a new one-value stream for each value (concatMap)",
    should: 2_000,
    peer: Peer("OpenCombine", 10_768),
    note: "a stream of its own for each value"
  ) { _, tally in
    let subject = Subject<Int, Never>()
    let token = subject.map { Observable<Int, Never>(CollectionOfOne($0)) }.concat().subscribe { tally.see($0) }
    return ({ subject.send($0) }, (subject, token))
  },
  CostRow(
    "concat.inner.waiting",
    "concat(), inner streams wait behind one, then all run (per stream)",
    should: 2_000,
    peer: Peer("RxSwift", 34_151),
    note: "Each has the lifetime, the number and the closures that one that is followed has, and is put in a line."
  ) { _ in
    { count in
      let (outer, first) = (Subject<Observable<Int, Never>, Never>(), Subject<Int, Never>())
      let tally = Tally()
      let token = outer.concat().subscribe { tally.see($0) }
      outer.send(first.observable)
      for value in 0..<count { outer.send(Observable(CollectionOfOne(value))) }
      tally.expect(0)
      first.finish()
      tally.expect(count)
      withExtendedLifetime(token) {}
    }
  },
]
