import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Tasks and first values")
struct TaskTests {
  private let time = VirtualScheduler()

  @Test("S-TASK-01: the result and the end, or the failure")
  func result() async throws {
    #expect(await Observable.task { 7 }.first() == 7)
    let failing = Observable<Int, any Error>.task { throw TestError(code: 3) }
    await #expect(throws: TestError(code: 3)) { try await failing.first() }
    let typed = Observable<Int, TestError>.task { () async throws(TestError) in throw TestError(code: 4) }
    await #expect(throws: TestError(code: 4)) { try await typed.first() }
  }

  @Test("S-TASK-01: cancelling cancels the task, and nothing is sent")
  func cancel() async {
    let begun = Flag()
    let cancelled = Flag()
    let recorder = Recorder(
      Observable<Int, Never>.task {
        begun.raise()
        _ = await eventually { Task.isCancelled }
        cancelled.raise()
        return 1
      }
    )
    #expect(await eventually { begun.isRaised })
    recorder.cancel()
    #expect(await eventually { cancelled.isRaised })
    #expect(recorder.records.isEmpty)
  }

  @Test("S-TASK-01: a search with a debounce, which cancels the one before")
  func search() async {
    let queries = Subject<String, Never>()
    let ended = Log<String>()
    let results = queries.observable
      .debounce(for: .milliseconds(300), on: time)
      .map { query in
        Observable.task {
          if query == "slow" { _ = await eventually { Task.isCancelled } }
          ended.note(query)
          return query.uppercased()
        }
      }
      .switchToLatest()
    let recorder = Recorder(results)
    queries.send("s")
    queries.send("slow")
    time.advance(by: .seconds(1))
    queries.send("fast")
    time.advance(by: .seconds(1))
    #expect(await eventually { recorder.values == ["FAST"] })
    #expect(await eventually { ended.entries.contains("slow") })
    #expect(recorder.values == ["FAST"])
  }

  @Test("S-FIRST-01: the first value, one that is wanted, none")
  func first() async {
    #expect(await Observable([1, 2, 3]).first() == 1)
    #expect(await Observable([1, 2, 3]).first(where: { $0 > 1 }) == 2)
    #expect(await Observable([1, 2, 3]).first(where: { $0 > 5 }) == nil)
    let failing = Observable<Int, TestError>.fail(TestError(code: 1))
    await #expect(throws: TestError(code: 1)) { try await failing.first() }
  }

  @Test("S-FIRST-01: the limit and a cancelled task end the wait, and leave nothing")
  func limit() async {
    let subject = Subject<Int, Never>()
    let late = Task { [time] in await subject.first(within: .seconds(5), on: time) }
    #expect(await eventually { subject.observerCount == 1 && !time.pending.isEmpty })
    time.advance(by: .seconds(5))
    #expect(await late.value == nil)
    let cancelled = Task { [time] in await subject.first(within: .seconds(5), on: time) }
    #expect(await eventually { subject.observerCount == 1 && !time.pending.isEmpty })
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    #expect(await eventually { subject.observerCount == 0 && time.pending.isEmpty })
  }
  @Test(
    "S-FIRST-01: a value that is there, an error of the predicate, and a task that was cancelled before leave nothing"
  )
  func nothingLeft() async {
    let subject = Subject<Int, TestError>(initial: 1)
    let first = try? await subject.first(within: .seconds(5), on: time)
    #expect(first == 1)
    #expect(subject.observerCount == 0 && time.pending.isEmpty)
    let failure = TestError(code: 7)
    await #expect(throws: failure) {
      try await subject.first { number throws(TestError) in
        if number == 1 { throw failure }
        return true
      }
    }
    #expect(subject.observerCount == 0)
    let hasBegun = Latch()
    let cancelled = Task { [time] in
      await hasBegun.wait()
      return try? await subject.first(within: .seconds(5), on: time)
    }
    cancelled.cancel()
    hasBegun.open()
    #expect(await cancelled.value == nil)
    #expect(subject.observerCount == 0 && time.pending.isEmpty)
    subject.send(2)
    subject.finish()
    let last = try? await subject.first()
    #expect(last == 2, "the last value comes before the end")
  }
}
