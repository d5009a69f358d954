import RASPTesting
import Streams
import TestSupport
import Testing

/// Both inputs send on threads of their own.
@Suite("Operators with several inputs, on threads")
struct CombiningRaceTests {
  private let first = Subject<Int, TestError>()
  private let second = Subject<Int, TestError>()

  @Test("A combination loses no value, never steps back, and ends with the newest of both")
  func combineLatest() async {
    let (inside, overlaps) = (Counter(), Counter())
    let pairs = Observable.combineLatest(first.observable, second.observable)
    let recorder = Recorder(
      pairs.map { pair in
        if inside.increment() != 1 { overlaps.increment() }
        defer { inside.decrement() }
        return [pair.0, pair.1]
      }
    )
    first.send(0)
    second.send(0)
    await Threads.run(
      {
        for value in 1...2_000 { first.send(value) }
        first.finish()
      },
      {
        for value in 1...2_000 { second.send(value) }
        second.finish()
      }
    )
    // The rest of the line may have been handed over.
    #expect(await eventually { recorder.ends.count == 1 })
    #expect(overlaps.value == 0)
    #expect(recorder.values.count == 4_001)
    #expect(zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] <= $1[1] })
    #expect(recorder.values.last == [2_000, 2_000])
    #expect(recorder.ends == [.finished])
  }

  @Test("Each value of the source comes once, with a value of the other stream that never steps back")
  func withLatest() async {
    let recorder = Recorder(first.observable.withLatest(from: second.observable).map { [$0.0, $0.1] })
    second.send(0)
    await Threads.run(
      {
        for value in 0..<2_000 { first.send(value) }
        first.finish()
      },
      { for value in 1..<2_000 { second.send(value) } }
    )
    #expect(await eventually { recorder.ends.count == 1 })
    #expect(recorder.values.map { $0[0] } == Array(0..<2_000))
    #expect(recorder.values.map { $0[1] } == recorder.values.map { $0[1] }.sorted())
    #expect(second.observerCount == 0)
  }

  @Test("A stop against values: a beginning of the source, then one end, and both inputs are released")
  func prefixUntil() async {
    for _ in 0..<rounds(3_000) {
      let (source, stop) = (Subject<Int, Never>(), Subject<Void, Never>())
      let recorder = Recorder(source.observable.prefix(until: stop.observable))
      await Threads.run({ for value in 0..<50 { source.send(value) } }, { stop.send(()) })
      #expect(await eventually { recorder.ends == [.finished] })
      #expect(recorder.values == Array(0..<recorder.values.count))
      #expect(source.observerCount == 0 && stop.observerCount == 0)
    }
  }

  @Test("Both inputs end at the same moment: one end, and nothing is followed", arguments: Combination.allCases)
  func ends(combination: Combination) async {
    for round in 0..<rounds(3_000) {
      let (first, second) = (Subject<Int, TestError>(), Subject<Int, TestError>())
      let recorder = Recorder(combination.apply(first.observable, second.observable))
      let fails = round.isMultiple(of: 2)
      await Threads.run(
        {
          first.send(1)
          if fails { first.fail(TestError(code: 1)) } else { first.finish() }
        },
        {
          second.send(2)
          if fails { second.fail(TestError(code: 2)) } else { second.finish() }
        }
      )
      #expect(await eventually { recorder.ends.count == 1 }, "\(recorder.records)")
      #expect(first.observerCount == 0 && second.observerCount == 0)
      if !fails { #expect(recorder.ends == [.finished]) }
    }
  }

  @Test(
    "Once cancel has returned, at most the callback that runs ends; no input is followed",
    arguments: Combination.allCases
  )
  func cancel(combination: Combination) async {
    for _ in 0..<rounds(3_000) {
      let (first, second) = (Subject<Int, TestError>(), Subject<Int, TestError>())
      let recorder = Recorder(combination.apply(first.observable, second.observable))
      let atCancel = Box<Int>()
      await Threads.run(
        { for value in 0..<50 { first.send(value) } },
        { for value in 0..<50 { second.send(value) } },
        {
          recorder.cancel()
          atCancel.value = recorder.records.count
        }
      )
      let afterRace = recorder.records.count
      #expect(afterRace <= (atCancel.value ?? 0) + 1)
      #expect(first.observerCount == 0 && second.observerCount == 0)
      first.send(1)
      second.send(1)
      #expect(recorder.records.count == afterRace)
    }
  }

  @Test("A callback that cancels while the other input sends: nothing follows it", arguments: Combination.allCases)
  func cancelInside(combination: Combination) async {
    for _ in 0..<rounds(3_000) {
      let (first, second) = (Subject<Int, TestError>(), Subject<Int, TestError>())
      let token = Box<Subscription>()
      let values = Counter()
      token.value = combination.apply(first.observable, second.observable).subscribe { _ in
        values.increment()
        token.value?.cancel()
      }
      await Threads.run(
        { for value in 0..<20 { first.send(value) } },
        { for value in 0..<20 { second.send(value) } }
      )
      #expect(values.value <= 1)
      if values.value == 1 { #expect(first.observerCount == 0 && second.observerCount == 0) }
      token.take()?.cancel()
    }
  }

  @Test("Streams that arrive while a concatenation ends or is cancelled leave no subscription behind")
  func concat() async {
    for round in 0..<rounds(3_000) {
      let outer = Subject<Observable<Int, TestError>, TestError>()
      let inners = (0..<6).map { _ in Subject<Int, TestError>() }
      let recorder = Recorder(outer.observable.concat())
      await Threads.run(
        { for inner in inners { outer.send(inner.observable) } },
        {
          for inner in inners {
            inner.send(1)
            inner.finish()
          }
        },
        {
          if round.isMultiple(of: 2) { recorder.cancel() } else { outer.fail(TestError()) }
        }
      )
      recorder.cancel()
      #expect(inners.allSatisfy { $0.observerCount == 0 })
      #expect(outer.observerCount == 0)
      #expect(recorder.ends.count <= 1)
    }
  }

  @Test("A shared stream fails while others join it: each gets the failure or a new connection, and none stays behind")
  func shareFails() async {
    for _ in 0..<rounds(3_000) {
      let sources = Log<Subject<Int, TestError>>()
      let shared = Observable<Int, TestError>.deferred {
        let source = Subject<Int, TestError>()
        sources.note(source)
        return source.observable
      }.share()
      let retrying = Recorder(shared.retry(3))
      let joined = Box<Recorder<Int, TestError>>()
      await Threads.run(
        { sources.entries.first?.fail(TestError()) },
        { joined.value = Recorder(shared) }
      )
      #expect(retrying.ends.isEmpty, "it has connected anew")
      #expect(sources.count == 2)
      sources.last?.send(5)
      #expect(retrying.values == [5])
      #expect(joined.value?.values == [5] || joined.value?.ends == [.failed(TestError())])
      retrying.cancel()
      joined.take()?.cancel()
      #expect(sources.entries.allSatisfy { $0.observerCount == 0 })
    }
  }
}
