import Aggregate
import RASPValues
import Streams

// "A station of sensors" of the article "Programs by task".

enum Quantity: String, Sendable, CaseIterable { case temperature, humidity, particles, carbonDioxide }

enum StationEvent: Sendable {
  case reading(Quantity, Timestamped<Double>)
  case link(Quantity, isUp: Bool)
  case tick(Duration)
}

struct Measured: Sendable, Equatable {
  var last: Double?
  var lastMinute = RollingWindow<Double>(over: .seconds(60))
  var freshness = Staleness(after: .seconds(5))
  var alarm = Hysteresis(raisesAt: Double.infinity, clearsAt: .infinity)

  mutating func take(_ reading: Timestamped<Double>) {
    last = reading.value
    lastMinute.insert(reading.value, at: reading.instant)
    freshness.refresh(at: reading.instant)
    alarm.update(with: reading.value)
  }

  mutating func advance(to now: Duration) {
    lastMinute.advance(to: now)
    freshness.advance(to: now)
  }
}

struct StationState: AggregateState {
  var down: Set<Quantity> = []
  var measured: [Quantity: Measured] = [
    .temperature: Measured(), .humidity: Measured(),
    .particles: Measured(alarm: Hysteresis(raisesAt: 35, clearsAt: 25)),
    .carbonDioxide: Measured(alarm: Hysteresis(raisesAt: 1_000, clearsAt: 800)),
  ]

  mutating func apply(_ event: StationEvent) {
    switch event {
    case .reading(let quantity, let reading):
      measured[quantity]?.take(reading)
    case .link(let quantity, let isUp):
      if isUp { down.remove(quantity) } else { down.insert(quantity) }
    case .tick(let now):
      for quantity in measured.keys { measured[quantity]?.advance(to: now) }
    }
  }
}

func station(
  connect: @escaping @Sendable () -> AsyncThrowingStream<Double, any Error>,
  counter: ParticleCounter,
  lines: AsyncStream<String>,
  on time: some Scheduler
) -> Aggregator<StationState> {
  let links = Subject<StationEvent, Never>()
  let temperature = Observable.deferred { Observable(connect()) }
    .handleEvents {
      links.send(.link(.temperature, isUp: true))
    } onEnd: { _ in
      links.send(.link(.temperature, isUp: false))
    }
    .retry(.exponential(from: .milliseconds(200), limit: .seconds(5), jitter: 0.2), on: time)
  let particles = Observable<Double, Never> { producer in
    let id = counter.register { producer.send($0) }
    producer.onTermination { counter.unregister(id) }
  }
  let humidity = Observable<Int, Never>.interval(.seconds(1), on: time).map { _ in Double.random(in: 40...60) }
  let carbonDioxide = Observable(lines).compactMap { Double($0) }
  let ticks = Observable<Int, Never>.interval(.milliseconds(500), on: time)

  return Aggregator(
    initial: StationState(),
    sources: links.observable,
    temperature.timestamped(on: time).map { .reading(.temperature, $0) },
    particles.timestamped(on: time).map { .reading(.particles, $0) },
    humidity.timestamped(on: time).map { .reading(.humidity, $0) },
    carbonDioxide.timestamped(on: time).map { .reading(.carbonDioxide, $0) },
    ticks.timestamped(on: time).map { .tick($0.instant) }
  )
}

func alarm(of quantity: Quantity, at station: Aggregator<StationState>) -> Selection<Bool> {
  station.select { $0.measured[quantity]?.alarm.isRaised ?? false }
}
