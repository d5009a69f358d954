import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite struct TaskCauseTests {
  @Test func aTaskThatASubscriberStartsBeginsAnew() async {
    let (source, target) = (Traced(), Traced())
    let token = source.aggregator.events.subscribe { word in
      Task { target.send(word) }
    }
    source.send("word")
    #expect(await eventually { !target.causes.isEmpty })
    #expect(target.causes["word"] == .unknown)
    token.cancel()
  }

  @Test func aTaskTakesTheCauseAlongWithPerform() async {
    let (source, target) = (Traced(), Traced())
    let token = source.aggregator.events.subscribe { word in
      let cause = Cause.current
      Task {
        await cause.perform {
          await Task.yield()
          target.send("in the task")
          await withTaskGroup { group in group.addTask { target.send("in a child") } }
          Task { target.send("in another task") }
        }
        target.send("behind")
      }
    }
    source.send("word")
    #expect(await eventually { target.causes.count == 4 })
    let cause = source.identity("word")
    #expect(target.causes["in the task"] == cause)
    #expect(target.causes["in a child"] == cause)
    #expect(target.causes["in another task"] == cause)
    #expect(target.causes["behind"] == .unknown)
    token.cancel()
  }

  @Test func whatATaskIsGivenInsideOfADeliveryCountsThere() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (source, target) = (Traced(), Traced())
    let token = source.aggregator.events.subscribe { word in
      Task.immediate {
        target.send("at once")
        await elsewhere.perform {
          await withoutSuspension { target.send("of elsewhere") }
        }
        await Cause.unknown.perform {
          await withoutSuspension { target.send("of nothing") }
        }
        elsewhere.perform { target.send("of elsewhere, without a suspension") }
      }
    }
    source.send("word")
    #expect(await eventually { target.causes.count == 4 })
    #expect(target.causes["at once"] == source.identity("word"))
    #expect(target.causes["of elsewhere"] == elsewhere)
    #expect(target.causes["of nothing"] == .unknown)
    #expect(target.causes["of elsewhere, without a suspension"] == elsewhere)
    token.cancel()
  }

  @Test func aThreadTakesTheCauseAlongWithPerform() async {
    let (source, target) = (Traced(), Traced())
    let cause = Box<Cause>()
    let token = source.aggregator.events.subscribe { _ in cause.value = Cause.current }
    source.send("word")
    await onThread {
      cause.value?.perform { target.send("within") }
      target.send("behind")
    }
    #expect(target.causes["within"] == source.identity("word"))
    #expect(target.causes["behind"] == .unknown)
    token.cancel()
  }

  @Test func performReturnsAndThrowsWhatItsBodyDoes() {
    var four = 0
    elsewhere.perform { four = 4 }
    #expect(four == 4)
    #expect(throws: TestError(code: 1)) { try elsewhere.perform { () throws(TestError) in throw TestError(code: 1) } }
    #expect(Cause.current == .unknown)
  }

  @Test func performOfATaskReturnsAndThrowsWhatItsBodyDoes() async {
    let four = await elsewhere.perform {
      await Task.yield()
      return 4
    }
    #expect(four == 4)
    await #expect(throws: TestError(code: 2)) {
      try await elsewhere.perform { () async throws -> Void in throw TestError(code: 2) }
    }
    #expect(Cause.current == .unknown)
  }

  @Test func performOfAnUnknownCauseHidesTheOneAround() async {
    let target = Traced()
    await elsewhere.perform {
      Cause.unknown.perform { target.send("sync") }
      await inTask(of: .unknown) { target.send("async") }
      target.send("around")
    }
    #expect(target.causes == ["sync": .unknown, "async": .unknown, "around": elsewhere])
  }

  @Test func aTaskThatASubscriberStartsInATaskWithACauseDoesNotGetThat() async {
    let (source, target) = (Traced(), Traced())
    let token = source.aggregator.events.subscribe { word in
      Task { target.send(word) }
    }
    await inTask(of: elsewhere) { source.send("word") }
    #expect(await eventually { !target.causes.isEmpty })
    #expect(target.causes["word"] == .unknown)
    token.cancel()
  }

  @Test(arguments: [elsewhere, .unknown])
  func aReaderThatASubscriberStartsInATaskWithACauseBeginsAnew(_ cause: Cause) async {
    let (source, target) = (Traced(), Traced())
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let token = source.aggregator.events.subscribe { _ in
      Task {
        for await word in stream { target.send(word) }
      }
    }
    await inTask(of: cause) { source.send("start") }
    continuation.yield("later")
    #expect(await eventually { !target.causes.isEmpty })
    #expect(target.causes["later"] == .unknown)
    continuation.finish()
    token.cancel()
  }

  @Test func aReaderOfValuesHasNoCause() async {
    let (source, target) = (Traced(), Traced())
    var values = source.aggregator.events.values(buffering: .unbounded).makeAsyncIterator()
    source.send("word")
    if let word = await values.next() { target.send(word) }
    #expect(target.causes == ["word": .unknown])
  }

  @Test func theFirstValueOfAStreamHasNoCauseForItsReader() async {
    let (source, target) = (Traced(), Traced())
    let isDone = Flag()
    async let word = {
      defer { isDone.raise() }
      return await source.aggregator.events.first()
    }()
    #expect(
      await eventually {
        source.send("word")
        return isDone.isRaised
      }
    )
    if let word = await word { target.send(word) } else { Issue.record("The stream has ended.") }
    #expect(target.causes == ["word": .unknown])
  }
}

/// Runs `body` as an asynchronous function.
private nonisolated(nonsending) func withoutSuspension(_ body: () -> Void) async { body() }
