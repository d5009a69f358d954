import Aggregate
import RASPTesting
import RASPValues
import Streams
import TestSupport
import Testing

/// The article "Time and schedulers", run.
@Suite("Time and schedulers", .endsInTime)
struct TimeAndSchedulers {
  /// The level of a tank once a second, and an alarm when no level has come for five seconds.
  func levels(
    of sensor: @escaping @Sendable () -> Double,
    on time: some Scheduler = .continuous
  ) -> Observable<Double, Silence> {
    Observable<Int, Never>.interval(.seconds(1), on: time)
      .map { _ in sensor() }
      .filter { !$0.isNaN }
      .setFailureType(to: Silence.self)
      .timeout(after: .seconds(5), on: time, failure: Silence())
  }

  struct Silence: Error, Equatable {}

  struct Tank: AggregateState {
    enum Event: Sendable {
      case level(Timestamped<Double>)
      case tick(Duration)
    }

    var level: Double?
    var lastMinute = RollingWindow<Double>(over: .seconds(60))
    var freshness = Staleness(after: .seconds(5))

    mutating func apply(_ event: Event) {
      switch event {
      case .level(let reading):
        level = reading.value
        lastMinute.insert(reading.value, at: reading.instant)
        freshness.refresh(at: reading.instant)
      case .tick(let now):
        lastMinute.advance(to: now)
        freshness.advance(to: now)
      }
    }
  }

  func tank(_ levels: Observable<Double, Never>, on time: some Scheduler) -> Aggregator<Tank> {
    let ticks = Observable<Int, Never>.interval(.seconds(1), on: time)
    return Aggregator(
      initial: Tank(),
      sources: levels.timestamped(on: time).map { Tank.Event.level($0) },
      ticks.timestamped(on: time).map { Tank.Event.tick($0.instant) }
    )
  }

  @MainActor
  func show(_ tank: Aggregator<Tank>, on label: Label) -> Subscription {
    tank.select(\.level).observable
      .receive(on: MainActor.shared)
      .subscribe { level in label.text = level.map { "\($0) m" } ?? "unknown" }
  }

  @MainActor
  final class Label {
    var text = ""
  }

  @Test("a state that is told the time")
  func told() {
    let time = VirtualScheduler()
    let input = Subject<Double, Never>()
    let tank = tank(input.observable, on: time)
    input.send(1.5)
    time.advance(by: .seconds(4))
    #expect(!tank.snapshot.freshness.isStale)
    time.advance(by: .seconds(1))
    #expect(tank.snapshot.freshness.isStale)
  }

  @Test("silence is a failure")
  func silence() {
    let time = VirtualScheduler()
    let level = Box(1.0)
    let recorder = Recorder(levels(of: { level.value ?? .nan }, on: time), on: time)
    time.advance(by: .seconds(2))
    level.value = .nan
    time.advance(by: .seconds(10))
    #expect(recorder.values == [1, 1])
    #expect(recorder.records.last?.instant == .seconds(7))
  }

  @Test("a label follows on the main actor")
  @MainActor
  func label() async {
    let levels = Subject<Double, Never>()
    let tank = tank(levels.observable, on: VirtualScheduler())
    let label = Label()
    let token = show(tank, on: label)
    levels.send(2)
    #expect(await eventually { label.text == "2.0 m" })
    withExtendedLifetime(token) {}
  }
}
