import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("scan")
struct ScanTests {
  @Test("S-SCAN-01: the seed is not emitted; an empty upstream gives only completion")
  func noSeed() {
    let empty = Recorder(Observable<Int, Never>([]).scan(7) { $0 + $1 })
    #expect(empty.values.isEmpty && empty.ends == [.finished])
    let emptyInto = Recorder(Observable<Int, Never>([]).scan(into: 7) { $0 += $1 })
    #expect(emptyInto.values.isEmpty && emptyInto.ends == [.finished])
    #expect(Recorder(Observable([1, 2]).scan(7) { $0 + $1 }).values == [8, 10])
  }

  @Test("S-SCAN-02: the fold in place gives the same sequence as the fold that returns")
  func inPlace() {
    let words = Observable(["a", "b", "a", "c", "a"])
    let returning = words.scan([String: Int]()) { counts, word in
      counts.merging([word: 1]) { $0 + $1 }
    }
    let inPlace = words.scan(into: [:]) { $0[$1, default: 0] += 1 }
    let recorder = Recorder(inPlace)
    #expect(recorder.values == Recorder(returning).values)
    #expect(recorder.values.first == ["a": 1], "a result that was handed out does not change afterwards")
    #expect(recorder.values.last == ["a": 3, "b": 1, "c": 1])
  }

  @Test(
    "S-SCAN-03: an accumulator that throws ends the stream there, keeps earlier results, unsubscribes upstream"
  )
  func throwing() {
    let subject = Subject<Int, TestError>()
    let calls = Counter()
    let returning = Recorder(
      subject.scan(0) { sum, value throws(TestError) in
        calls.increment()
        if value == 3 { throw TestError(code: 3) }
        return sum + value
      }
    )
    let inPlace = Recorder(
      subject.scan(into: 0) { sum, value throws(TestError) in
        if value == 3 { throw TestError(code: 3) }
        sum += value
      }
    )
    for value in 1...5 { subject.send(value) }
    #expect(returning.values == [1, 3] && returning.ends == [.failed(TestError(code: 3))])
    #expect(inPlace.values == [1, 3] && inPlace.ends == [.failed(TestError(code: 3))])
    #expect(subject.observerCount == 0)
    #expect(calls.value == 3)
  }

  @Test("S-SCAN-04: each subscription folds from its own seed")
  func ownSeed() {
    let subject = Subject<Int, Never>()
    let sums = subject.scan(0) { $0 + $1 }
    let first = Recorder(sums)
    subject.send(1)
    let second = Recorder(sums)
    subject.send(2)
    #expect(first.values == [1, 3])
    #expect(second.values == [2])
  }

  @Test("S-SCAN-04: a seed that is a reference is made anew for each subscription")
  func referenceSeed() {
    let seeds = Counter()
    let subject = Subject<Int, Never>()
    let logs = subject.scan(seed(counting: seeds)) { log, value in
      log.note(value)
      return log
    }
    #expect(seeds.value == 0)
    let first = Recorder(logs)
    let second = Recorder(logs)
    subject.send(5)
    #expect(seeds.value == 2)
    #expect(first.values.last !== second.values.last)
    #expect(first.values.last?.entries == [5])
    #expect(second.values.last?.entries == [5])
  }

  @Test("The failure and the end of upstream pass through")
  func ends() {
    let subject = Subject<Int, TestError>()
    let recorder = Recorder(subject.scan(0) { $0 + $1 })
    subject.send(4)
    subject.fail(TestError(code: 9))
    #expect(recorder.values == [4])
    #expect(recorder.ends == [.failed(TestError(code: 9))])
  }

  private func seed(counting seeds: Counter) -> Log<Int> {
    seeds.increment()
    return Log()
  }
}
