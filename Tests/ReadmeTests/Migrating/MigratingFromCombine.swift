import Aggregate
import RASPObservation
import RASPTesting
import Streams
import TestSupport
import Testing

/// The recipes of the article "Migrating from Combine", run.
@Suite("Migrating from Combine", .endsInTime)
struct MigratingFromCombine {
  func zones(from notifications: AsyncStream<String>) -> Observable<String, Never> {
    Observable(notifications).distinctUntilChanged()
  }

  struct Settings: AggregateState {
    enum Event: Sendable {
      case volume(Double)
      case muted(Bool)
    }

    var volume = 0.5
    var isMuted = false

    var loudness: Double { isMuted ? 0 : volume }

    mutating func apply(_ event: Event) {
      switch event {
      case .volume(let volume): self.volume = min(max(volume, 0), 1)
      case .muted(let isMuted): self.isMuted = isMuted
      }
    }
  }

  @MainActor
  func settings() -> Observed<Settings> {
    let settings = Observed(Aggregator(initial: Settings()))
    settings.send(.volume(0.8))
    settings[\.isMuted, sending: Settings.Event.muted] = true
    return settings
  }

  func rate(
    asked clicks: Observable<Void, Never>,
    from bank: @escaping @Sendable () async throws -> Double
  ) -> Observable<Double, Never> {
    clicks
      .map { Observable.task { try await bank() }.retry(2).catch { _ in Observable<Double, Never>.empty } }
      .switchToLatest()
  }

  func stream<Value: Sendable>(
    _ subscribe: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> @Sendable () -> Void
  ) -> Observable<Value, Never> {
    Observable { producer in
      let cancel = subscribe { producer.send($0) }
      producer.onTermination { cancel() }
    }
  }

  @Test("an asynchronous sequence")
  func sequences() async {
    let (notifications, input) = AsyncStream.makeStream(of: String.self)
    let recorder = Recorder(zones(from: notifications))
    for zone in ["UTC", "UTC", "CET"] { input.yield(zone) }
    #expect(await eventually { recorder.values == ["UTC", "CET"] })
  }

  @Test("published properties")
  @MainActor
  func published() {
    let settings = settings()
    #expect(settings.volume == 0.8)
    #expect(settings.loudness == 0)
  }

  @Test("a value from a server")
  func server() async {
    let clicks = Subject<Void, Never>()
    let recorder = Recorder(rate(asked: clicks.observable) { 1.1 })
    clicks.send(())
    #expect(await eventually { recorder.values == [1.1] })
  }

  @Test("a publisher as a stream")
  func publisher() {
    let (subject, cancelled) = (Subject<Int, Never>(), Counter())
    let recorder = Recorder(
      stream { send in
        let token = subject.subscribe(send)
        return {
          token.cancel()
          cancelled.increment()
        }
      }
    )
    subject.send(1)
    recorder.cancel()
    #expect(recorder.values == [1])
    #expect(cancelled.value == 1)
  }
}
