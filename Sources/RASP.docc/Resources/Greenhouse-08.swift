import Aggregate
import Foundation
import RASPValues
import Streams

enum GreenhouseEvent: Sendable {
  case temperature(Timestamped<Double>)
  case window(isOpen: Bool)
  case tick(Duration)
}

struct Greenhouse: AggregateState {
  var temperature: Double?
  var isWindowOpen = false
  var heat = Hysteresis(raisesAt: 28.0, clearsAt: 25.0)
  var freshness = Staleness(after: .seconds(3))

  mutating func apply(_ event: GreenhouseEvent) {
    switch event {
    case .temperature(let reading):
      temperature = reading.value
      heat.update(with: reading.value)
      freshness.refresh(at: reading.instant)
    case .window(let isOpen): isWindowOpen = isOpen
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
    default: nil
    }
  }
}

let keyboard = Subject<String, Never>()
let time = ClockScheduler.continuous
let greenhouse = Aggregator(
  initial: Greenhouse(),
  sources: commands(from: keyboard.observable),
  Observable<Int, Never>.interval(.seconds(1), on: time).timestamped(on: time).map { GreenhouseEvent.tick($0.instant) }
)
let sensor = temperatures(
  of: { () throws(SensorError) in try readSensor() },
  on: time,
  onEvent: greenhouse.health.retries(of: "thermometer")
)
greenhouse.add(sensor.timestamped(on: time).map(GreenhouseEvent.temperature), as: "thermometer")
let bag = SubscriptionBag()
greenhouse.select(\.isWindowOpen).subscribe { isOpen in
  print(isOpen ? "the window is open" : "the window is closed")
}.store(in: bag)
greenhouse.select(\.heat.isRaised).subscribe { isRaised in
  if isRaised { print("too hot: type open") }
}.store(in: bag)
greenhouse.select(\.freshness.isStale).subscribe { isStale in
  if isStale { print("no fresh temperature") }
}.store(in: bag)
greenhouse.health.changes.subscribe { health in
  print("\(health.name): \(health.status), outages: \(health.outages)")
}.store(in: bag)

Thread.detachNewThread {
  while let line = readLine() { keyboard.send(line) }
}

for await degrees in greenhouse.select(\.temperature).values {
  if let degrees { print("\(degrees.rounded()) °C") }
}
