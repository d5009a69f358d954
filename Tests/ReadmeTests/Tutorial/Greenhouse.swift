import Aggregate
import RASPValues
import Streams

// The program of the ninth step of the tutorial, without its last part, which runs for ever.

enum GreenhouseEvent: Sendable {
  case temperature(Timestamped<Double>)
  case window(isOpen: Bool)
  case storm(Bool)
  case tick(Duration)
}

struct Storm: Error {}

struct Greenhouse: AggregateState, Equatable {
  var temperature: Double?
  var isWindowOpen = false
  var isStormy = false
  var heat = Hysteresis(raisesAt: 28.0, clearsAt: 25.0)
  var freshness = Staleness(after: .seconds(3))

  mutating func apply(_ event: GreenhouseEvent) throws(Storm) {
    switch event {
    case .temperature(let reading):
      temperature = reading.value
      heat.update(with: reading.value)
      freshness.refresh(at: reading.instant)
    case .window(let isOpen):
      if isOpen, isStormy { throw Storm() }
      isWindowOpen = isOpen
    case .storm(let isStormy):
      self.isStormy = isStormy
      if isStormy { isWindowOpen = false }
    case .tick(let now): freshness.advance(to: now)
    }
  }
}

struct SensorError: Error {}

/// The temperature once a second. A sensor that fails is read again later, each time after a longer wait.
func temperatures(
  of sensor: @escaping @Sendable () throws(SensorError) -> Double,
  on time: some Scheduler,
  onEvent: @escaping @Sendable (RetryEvent) -> Void
) -> Observable<Double, SensorError> {
  Observable<Int, Never>.interval(.seconds(1), on: time)
    .setFailureType(to: SensorError.self)
    .map { _ throws(SensorError) in try sensor() }
    .retry(.exponential(from: .seconds(1), limit: .seconds(30)), on: time, onEvent: onEvent)
}

/// A sensor that fails now and then.
func readSensor() throws(SensorError) -> Double {
  if Int.random(in: 0..<10) == 0 { throw SensorError() }
  return .random(in: 18...30)
}

/// What a person types.
func commands(from lines: Observable<String, Never>) -> Observable<GreenhouseEvent, Never> {
  lines.compactMap { line in
    switch line {
    case "open": .window(isOpen: true)
    case "close": .window(isOpen: false)
    case "storm": .storm(true)
    case "calm": .storm(false)
    default: nil
    }
  }
}

/// All that belongs together. A test gives it a sensor, lines and a time of its own.
func makeGreenhouse(
  sensor: @escaping @Sendable () throws(SensorError) -> Double,
  lines: Observable<String, Never>,
  on time: some Scheduler
) -> Aggregator<Greenhouse> {
  let ticks = Observable<Int, Never>.interval(.seconds(1), on: time).timestamped(on: time)
  let greenhouse = Aggregator(
    initial: Greenhouse(),
    sources: commands(from: lines),
    ticks.map { GreenhouseEvent.tick($0.instant) }
  )
  let outages = greenhouse.health.retries(of: "thermometer")
  let temperatures = temperatures(of: sensor, on: time, onEvent: outages).timestamped(on: time)
  greenhouse.add(temperatures.map(GreenhouseEvent.temperature), as: "thermometer", on: time)
  return greenhouse
}
