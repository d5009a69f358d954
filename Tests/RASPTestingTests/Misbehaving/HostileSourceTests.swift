import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("HostileSource")
struct HostileSourceTests {
  private let source = HostileSource<Int, MarbleFailure>()

  /// An observer that is held to nothing, and so sees what the source really does.
  private func bareObserver(_ seen: Log<String>) -> Observer<Int, MarbleFailure> {
    Observer(lifetime: Lifetime()) { value in
      seen.note("\(value)")
    } onEnd: { end in
      seen.note(end == .finished ? "|" : "^")
    }
  }

  @Test("it goes on after ends, and ends again")
  func breaksTheGrammar() {
    let seen = Log<String>()
    source.observable.attach(bareObserver(seen))
    source.send(1)
    source.end(.finished)
    source.send(2)
    source.end(.failed(MarbleFailure()))
    source.end(.finished)
    #expect(seen.entries == ["1", "|", "2", "^", "|"])
  }

  @Test("it never releases an observer: a new subscription does not end the one before it")
  func keepsObservers() {
    let seen = Log<String>()
    source.observable.attach(bareObserver(seen))
    source.observable.attach(bareObserver(seen))
    source.send(1)
    #expect(seen.entries == ["1", "1"])
  }

  @Test("what a subscriber sees of it is well formed all the same")
  func subscriber() {
    let recorder = Recorder(source.observable)
    source.send(1)
    source.end(.finished)
    source.send(2)
    source.end(.failed(MarbleFailure()))
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
    let cancelled = Recorder(source.observable)
    cancelled.cancel()
    source.send(3)
    #expect(cancelled.records.isEmpty)
  }

  @Test("it sends from several threads at once, without serialising")
  func overlap() async {
    let gate = Gate(patience: longestWait)
    let seen = Log<String>()
    source.observable.attach(
      Observer(lifetime: Lifetime()) { value in
        gate.hold()
        seen.note("\(value)")
      } onEnd: { _ in
      }
    )
    await Threads.run(
      { source.send(1) },
      { source.send(2) },
      {
        // Both deliveries are inside the observer at once, or this would wait for ever.
        gate.waitUntilHeld(by: 2)
        gate.open()
      }
    )
    #expect(seen.entries.sorted() == ["1", "2"])
  }
}
