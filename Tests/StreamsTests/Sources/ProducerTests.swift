import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Streams made by hand")
struct ProducerTests {
  private static func make(_ box: Box<Producer<Int, TestError>>) -> Observable<Int, TestError> {
    Observable { box.value = $0 }
  }

  @Test("The closure runs once for each subscription, and not before")
  func cold() {
    let starts = Counter()
    let stream = Observable<Int, Never> { producer in
      producer.send(starts.increment())
      producer.finish()
    }
    #expect(starts.value == 0)
    #expect(Recorder(stream).values == [1])
    #expect(Recorder(stream).values == [2])
  }

  @Test("Values, then the end; what comes afterwards is refused and says so")
  func grammar() {
    let box = Box<Producer<Int, TestError>>()
    let recorder = Recorder(Self.make(box))
    #expect(box.value?.isActive == true)
    #expect(box.value?.send(1) == true)
    #expect(box.value?.fail(TestError(code: 1)) == true)
    #expect(box.value?.isActive == false)
    #expect(box.value?.send(2) == false)
    #expect(box.value?.finish() == false)
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.failed(TestError(code: 1))])
  }

  @Test("After cancellation nothing passes, and the producer knows")
  func cancelled() {
    let box = Box<Producer<Int, TestError>>()
    let recorder = Recorder(Self.make(box))
    recorder.cancel()
    #expect(box.value?.isActive == false)
    #expect(box.value?.send(1) == false)
    box.value?.finish()
    #expect(recorder.records.isEmpty)
  }

  @Test("The stream finishes when nothing holds the producer any more")
  func released() {
    let box = Box<Producer<Int, TestError>>()
    let recorder = Recorder(Self.make(box))
    box.value?.send(1)
    #expect(recorder.ends.isEmpty)
    box.value = nil
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
    let forgotten = Recorder(Observable { (producer: Producer<Int, TestError>) in producer.send(5) })
    #expect(forgotten.values == [5] && forgotten.ends == [.finished])
  }

  @Test(
    "The teardown runs exactly once, however it ends",
    arguments: ["finish", "fail", "cancel", "release", "prefix"]
  )
  func teardown(how: String) {
    let teardowns = Counter()
    let box = Box<Producer<Int, TestError>>()
    let stream = Observable<Int, TestError> { producer in
      producer.onTermination { teardowns.increment() }
      box.value = producer
    }
    let token = Box((how == "prefix" ? stream.prefix(1) : stream).subscribe { _ in })
    #expect(teardowns.value == 0)
    switch how {
    case "finish": box.value?.finish()
    case "fail": box.value?.fail(TestError())
    case "cancel": token.value?.cancel()
    case "prefix": box.value?.send(1)
    default: token.value = nil
    }
    #expect(teardowns.value == 1)
    token.value?.cancel()
    box.value?.finish()
    box.value = nil
    token.value = nil
    #expect(teardowns.value == 1)
  }

  @Test("A teardown that comes too late runs at once, on end, cancel and in the middle of starting")
  func lateTeardown() {
    let teardowns = Counter()
    let box = Box<Producer<Int, TestError>>()
    let token = Self.make(box).subscribe { _ in }
    token.cancel()
    box.value?.onTermination { teardowns.increment() }
    #expect(teardowns.value == 1)

    let synchronous = Observable<Int, TestError> { producer in
      producer.send(1)
      producer.send(2)
      producer.onTermination { teardowns.increment() }
    }
    #expect(Recorder(synchronous.prefix(1)).values == [1])
    #expect(teardowns.value == 2)
  }

  @Test("A producer in a loop sees that its subscription is over")
  func loop() {
    let sent = Counter()
    let stream = Observable<Int, Never> { producer in
      while producer.isActive { producer.send(sent.increment()) }
    }
    #expect(Recorder(stream.prefix(10)).values == Array(1...10))
    #expect(sent.value == 10)
  }

  @Test("Concurrent sends are serialised and nothing is lost")
  func concurrent() async {
    let box = Box<Producer<Int, TestError>>()
    let inside = Counter()
    let overlaps = Counter()
    let recorder = Recorder(
      Self.make(box).map { value in
        if inside.increment() != 1 { overlaps.increment() }
        inside.decrement()
        return value
      }
    )
    await Threads.run(count: 3) { thread in
      for index in 0..<2_000 { box.value?.send(thread * 2_000 + index) }
    }
    box.value?.finish()
    #expect(await eventually { recorder.ends.count == 1 })
    #expect(overlaps.value == 0)
    #expect(recorder.values.sorted() == Array(0..<6_000))
    #expect(recorder.ends == [.finished])
  }

  @Test("Cancelling against finishing against releasing the producer: one teardown, at most one end")
  func race() async {
    for _ in 0..<rounds(10_000) {
      let teardowns = Counter()
      let ends = Counter()
      let box = Box<Producer<Int, TestError>>()
      let stream = Observable<Int, TestError> { producer in
        producer.onTermination { teardowns.increment() }
        box.value = producer
      }
      let token = stream.subscribe({ _ in }, onEnd: { _ in ends.increment() })
      await Threads.run({ token.cancel() }, { box.value?.fail(TestError()) }, { _ = box.take() })
      #expect(teardowns.value == 1)
      #expect(ends.value <= 1)
    }
  }

  @Test("Everything is released when it is over")
  func release() {
    let tracker = LifetimeTracker()
    let box = Box<Producer<Int, TestError>>()
    do {
      let object = tracker.make()
      let token = Observable<Int, TestError> { producer in
        box.value = producer
        producer.onTermination { _ = object }
      }
      .subscribe { _ in _ = object }
      #expect(tracker.liveCount == 1)
      token.cancel()
    }
    #expect(tracker.liveCount == 0)
  }
}
