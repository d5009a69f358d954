import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Concurrent operators")
struct OperatorRaceTests {
  @Test("A merge delivers one value at a time, keeps each input's order and loses nothing")
  func merge() async {
    let subjects = (0..<3).map { _ in Subject<Int, Never>() }
    let inside = Counter()
    let overlaps = Counter()
    let recorder = Recorder(
      Observable.merge(subjects.map(\.observable)).scan(into: [0, 0, 0]) { counts, value in
        if inside.increment() != 1 { overlaps.increment() }
        counts[value] += 1
        inside.decrement()
      }
    )
    await Threads.run(count: 3) { thread in
      for _ in 0..<2_000 { subjects[thread].send(thread) }
      subjects[thread].finish()
    }
    // The rest of the line may have been handed over.
    #expect(await eventually { recorder.ends.count == 1 })
    #expect(overlaps.value == 0)
    #expect(recorder.values.count == 6_000)
    #expect(recorder.values.last == [2_000, 2_000, 2_000])
    #expect(recorder.ends == [.finished])
  }

  @Test("Failing against failing against finishing: one end")
  func mergeEnds() async {
    for _ in 0..<rounds(5_000) {
      let subjects = (0..<3).map { _ in Subject<Int, TestError>() }
      let recorder = Recorder(Observable.merge(subjects.map(\.observable)))
      await Threads.run(count: 3) { thread in
        subjects[thread].send(thread)
        if thread == 0 { subjects[thread].finish() } else { subjects[thread].fail(TestError(code: thread)) }
      }
      #expect(recorder.ends.count == 1)
      #expect(recorder.end != .finished)
      #expect(subjects.allSatisfy { $0.observerCount == 0 })
    }
  }

  @Test("Streams that arrive while the merge is cancelled or fails leave no subscription behind")
  func mergeOfStreams() async {
    for round in 0..<rounds(5_000) {
      let outer = Subject<Observable<Int, TestError>, TestError>()
      let inners = (0..<8).map { _ in Subject<Int, TestError>() }
      let recorder = Recorder(outer.merge())
      await Threads.run(
        { for inner in inners { outer.send(inner.observable) } },
        { for inner in inners { inner.send(1) } },
        {
          if round.isMultiple(of: 2) { recorder.cancel() } else { inners[0].fail(TestError()) }
        }
      )
      recorder.cancel()
      #expect(inners.allSatisfy { $0.observerCount == 0 })
      #expect(outer.observerCount == 0)
      #expect(recorder.ends.count <= 1)
    }
  }

  @Test(
    "Switching against sending, finishing and cancelling: nothing of a replaced stream, no subscription left"
  )
  func switching() async {
    for round in 0..<rounds(5_000) {
      let outer = Subject<Observable<Int, TestError>, TestError>()
      let inners = (0..<8).map { _ in Subject<Int, TestError>() }
      let recorder = Recorder(outer.switchToLatest())
      await Threads.run(
        {
          for inner in inners { outer.send(inner.observable) }
          outer.finish()
        },
        { for (index, inner) in inners.enumerated() { inner.send(index) } },
        {
          if round.isMultiple(of: 2) { recorder.cancel() }
          inners.last?.finish()
        }
      )
      let values = recorder.values
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
      recorder.cancel()
      #expect(inners.allSatisfy { $0.observerCount == 0 })
      #expect(outer.observerCount == 0)
      #expect(recorder.ends.count <= 1)
    }
  }

  @Test("Both levels of a switch finish at the same moment: the result finishes, once")
  func switchEnds() async {
    for _ in 0..<rounds(10_000) {
      let outer = Subject<Observable<Int, TestError>, TestError>()
      let inner = Subject<Int, TestError>()
      let recorder = Recorder(outer.switchToLatest())
      outer.send(inner.observable)
      await Threads.run({ outer.finish() }, { inner.finish() })
      #expect(recorder.ends == [.finished])
    }
  }

  @Test("prefix never passes more than its count, whichever thread sends")
  func prefix() async {
    for _ in 0..<rounds(3_000) {
      let left = Subject<Int, Never>()
      let right = Subject<Int, Never>()
      let recorder = Recorder(Observable.merge(left.observable, right.observable).prefix(10))
      await Threads.run(
        { for value in 0..<20 { left.send(value) } },
        { for value in 0..<20 { right.send(value) } }
      )
      #expect(recorder.values.count == 10)
      #expect(recorder.ends == [.finished])
      #expect(left.observerCount == 0 && right.observerCount == 0)
    }
  }
}
