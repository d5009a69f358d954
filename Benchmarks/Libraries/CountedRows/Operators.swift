import Counting
import RASPTesting
import Streams

/// The operators without time.
let operatorRows: [CountedRow] = [
  .passing("map") { $0.map { $0 &* 3 } },
  .passing("filter") { $0.filter { $0 >= 0 } },
  .passing("scan") { $0.scan(0) { $0 &+ $1 } },
  .passing("distinct") { $0.distinctUntilChanged() },
  .passing("merge") { $0.merge(with: Observable<Int, Never>.never) },
  .passing("share") { $0.map { $0 &+ 1 }.share() },
  .passing("retry", failure: Broken.self) { $0.retry(3) },
  .combining("combineLatest.2") { Observable.combineLatest($0[0], $0[1]).map { $0.0 } },
  .combining("combineLatest.4") { Observable.combineLatest($0[0], $0[1], $0[2], $0[3]).map { $0.0 } },
  .combining("withLatest") { $0[0].withLatest(from: $0[1]).map { $0.0 } },
  CountedRow("switchToLatest") {
    let (outer, inner) = (Subject<Observable<Int, Never>, Never>(), Subject<Int, Never>())
    let sink = Sink()
    let token = outer.switchToLatest().subscribe { _ in sink.see(1) }
    outer.send(inner.observable)
    return { count in
      let before = sink.sum
      for value in 0..<count { inner.send(value) }
      precondition(sink.sum == before + count)
      withExtendedLifetime((outer, token)) {}
    }
  },
]

/// The operators with time, which stands still: a value that is kept until then.
let timedRows: [CountedRow] = [
  .passing("debounce", delivering: 0) { $0.debounce(for: .seconds(1), on: VirtualScheduler()) },
  .passing("throttle", delivering: 0) {
    $0.prepend(0).throttle(for: .seconds(1), on: VirtualScheduler()).dropFirst()
  },
]

/// The failure of streams that can fail.
private struct Broken: Error {}

extension CountedRow {
  /// A row in which a subject sends numbers through operators, which deliver so many for each.
  @inline(__always)
  fileprivate static func passing<Output: Sendable, Failure: Error>(
    _ name: String,
    delivering delivered: Int = 1,
    failure: Failure.Type,
    through operators: @escaping @Sendable (Observable<Int, Failure>) -> Observable<Output, Failure>
  ) -> CountedRow {
    CountedRow(name) {
      let subject = Subject<Int, Failure>()
      let sink = Sink()
      let token = operators(subject.observable).subscribe { _ in sink.see(1) }
      return { count in
        let before = sink.sum
        for value in 0..<count { subject.send(value) }
        precondition(sink.sum == before + delivered * count)
        withExtendedLifetime(token) {}
      }
    }
  }

  /// The same for numbers that cannot fail.
  @inline(__always)
  fileprivate static func passing<Output: Sendable>(
    _ name: String,
    delivering delivered: Int = 1,
    through operators: @escaping @Sendable (Observable<Int, Never>) -> Observable<Output, Never>
  ) -> CountedRow {
    .passing(name, delivering: delivered, failure: Never.self, through: operators)
  }

  /// A row in which the first of some subjects sends; each of the others has sent something.
  @inline(__always)
  fileprivate static func combining<Output: Sendable>(
    _ name: String,
    of combine: @escaping @Sendable ([Observable<Int, Never>]) -> Observable<Output, Never>
  ) -> CountedRow {
    CountedRow(name) {
      let subjects = (0..<4).map { _ in Subject<Int, Never>() }
      let sink = Sink()
      let token = combine(subjects.map(\.observable)).subscribe { _ in sink.see(1) }
      for subject in subjects.reversed() { subject.send(0) }
      return { count in
        let before = sink.sum
        for value in 0..<count { subjects[0].send(value) }
        precondition(sink.sum == before + count)
        withExtendedLifetime(token) {}
      }
    }
  }
}
