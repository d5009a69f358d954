import RASPTesting
import Streams
import TestSupport
import Testing

/// A line belongs to one subject or one merge: what waits in one of them is overtaken by what passes another.
@Suite("Two subjects in one stream", .endsInTime)
struct OvertakingTests {
  private typealias Numbers = Subject<Int, TestError>

  /// Sends 1 by `second`. While the result delivers it, 2 is sent by `second`, and then `next` is done.
  private func run<Element: Sendable>(
    _ second: Numbers,
    _ result: Observable<Element, TestError>,
    then next: @escaping @Sendable () -> Void
  ) -> Recorder<Element, TestError> {
    let isFirst = Flag()
    let recorder = Recorder(result) { event in
      guard case .value = event, !isFirst.isRaised else { return }
      isFirst.raise()
      #expect(second.send(2))
      next()
    }
    second.send(1)
    return recorder
  }

  @Test("Rule 4: a merge sends what reaches it first, and not what was sent first")
  func merged() {
    let (first, second) = (Numbers(), Numbers())
    let recorder = run(second, first.observable.merge(with: second.observable)) { first.send(10) }
    #expect(recorder.values == [1, 10, 2])
    #expect(first.droppedCount == 0 && second.droppedCount == 0)
  }

  @Test("Rule 4: a combination takes what reaches it first, too")
  func combined() {
    let (first, second) = (Numbers(), Numbers())
    let pairs = Observable.combineLatest(first.observable.prepend(0), second.observable).map { [$0, $1] }
    let recorder = run(second, pairs) { first.send(10) }
    #expect(recorder.values == [[0, 1], [10, 1], [10, 2]])
  }

  @Test("Rule 4: a combination of many is one step of delivery: inputs of any places keep their order")
  func combinedOfMany() {
    let inputs = (0..<8).map { _ in Numbers() }
    let streams = inputs.map { $0.observable.prepend(0) }
    let eight = Observable.combineLatest(
      streams[0],
      streams[1],
      streams[2],
      streams[3],
      streams[4],
      streams[5],
      streams[6],
      streams[7].dropFirst()
    )
    let sums = eight.map { $0.0 + $0.1 + $0.2 + $0.3 + $0.4 + $0.5 + $0.6 + $0.7 }
    let recorder = run(inputs[7], sums) {
      for (input, value) in [(6, 10), (0, 100), (5, 1000), (2, 10000)] { inputs[input].send(value) }
      inputs[1].fail(TestError(code: 1))
    }
    #expect(recorder.values == [1, 11, 111, 1111, 11111])
    #expect(recorder.ends == [.failed(TestError(code: 1))])
    #expect(inputs[7].droppedCount == 1, "its second value waited in its own line")
  }

  @Test("Rule 4: what two streams make of one subject keeps its order")
  func oneSubject() {
    let subject = Numbers()
    let both = subject.map { "x\($0)" }.merge(with: subject.map { "y\($0)" })
    let recorder = run(subject, both) {}
    #expect(recorder.values == ["x1", "y1", "x2", "y2"])
    #expect(subject.droppedCount == 0)
  }

  @Test("Rules 4 and 9: a value that a failure of another input has overtaken is counted by the subject it waited in")
  func cutOff() {
    let time = VirtualScheduler()
    let makers: [@Sendable (Numbers, Numbers) -> Observable<Int, TestError>] = [
      { $0.observable.merge(with: $1.observable) },
      { $1.map { $0 }.filter { _ in true }.merge(with: $0.observable) },
      // The merge inside ends with the one around it.
      { $0.observable.merge(with: $1.observable.merge(with: Observable.never)) },
      { Observable([$0.observable, $1.observable]).setFailureType(to: TestError.self).merge() },
      { Observable.combineLatest($0.observable.prepend(0), $1.observable).map { $1 } },
      { Observable.combineLatest($0.observable.prepend(0), $1.observable.merge(with: Observable.never)).map { $1 } },
      { $1.observable.withLatest(from: $0.observable.prepend(0)).map { $0.0 } },
      // What waits behind another operator.
      { $0.observable.merge(with: $1.observable.share()) },
      { $0.observable.merge(with: $1.observable.retry(1)) },
      { $0.observable.merge(with: $1.observable.catch { .fail($0) }) },
      { $0.observable.merge(with: $1.observable.concat(with: Observable.never)) },
      { $0.observable.merge(with: $1.observable.prefix(until: Observable<Int, Never>.never)) },
      { $0.observable.merge(with: $1.observable.timeout(after: .seconds(1), on: time, failure: TestError(code: 9))) },
      { $0.observable.merge(with: $1.observable.buffer(count: 1).map { $0[0] }) },
      { $0.observable.merge(with: Observable([$1.observable]).setFailureType(to: TestError.self).switchToLatest()) },
    ]
    for (index, make) in makers.enumerated() {
      let (first, second) = (Numbers(), Numbers())
      let recorder = run(second, make(first, second)) { first.fail(TestError(code: 1)) }
      #expect(recorder.values == [1], "stream \(index)")
      #expect(recorder.ends == [.failed(TestError(code: 1))], "stream \(index)")
      #expect(second.droppedCount == 1, "stream \(index)")
      #expect(first.droppedCount == 0, "stream \(index)")
      // Without an observer nothing is cut off.
      second.send(3)
      #expect(second.droppedCount == 1, "stream \(index)")
      #expect(second.observerCount == 0, "stream \(index)")
    }
  }

  @Test("Rules 4 and 9: the same with another thread, and what the subject's other observers get is no matter")
  func cutOffByThread() async {
    let (first, second) = (Numbers(), Numbers())
    let gate = Gate(patience: longestWait)
    let beside = Recorder(second.observable)
    let recorder = Recorder(first.observable.merge(with: second.observable)) { event in
      if case .value(1) = event { gate.hold() }
    }
    await Threads.run {
      second.send(1)
    } _: {
      gate.waitUntilHeld()
      for value in 2...5 { #expect(second.send(value)) }
      first.fail(TestError(code: 1))
      #expect(second.send(6))
      gate.open()
    }
    #expect(await eventually { beside.values == Array(1...6) })
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.failed(TestError(code: 1))])
    #expect(second.droppedCount == 4)
  }

  @Test("What a subscriber cancels, and what finishes, is not counted as cut off")
  func unwanted() {
    let (first, second) = (Numbers(), Numbers())
    let prefix = run(second, first.observable.merge(with: second.observable).prefix(1)) {}
    #expect(prefix.values == [1] && second.droppedCount == 0)
    let stop = Subject<Int, Never>()
    let until = run(second, second.observable.prefix(until: stop.observable)) { stop.send(10) }
    #expect(until.values == [1] && until.ends == [.finished] && second.droppedCount == 0)
    let third = Numbers()
    let token = Box<Subscription>()
    token.value = third.observable.merge(with: first.observable).subscribe { value in
      guard value == 1 else { return }
      third.send(2)
      token.value?.cancel()
    }
    third.send(1)
    #expect(third.droppedCount == 0)
  }
}
