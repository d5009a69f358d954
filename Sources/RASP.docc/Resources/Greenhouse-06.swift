import Aggregate
import Foundation
import RASPValues
import Streams

enum GreenhouseEvent: Sendable {
  case temperature(Double)
  case window(isOpen: Bool)
}

struct Greenhouse: AggregateState {
  var temperature: Double?
  var isWindowOpen = false
  var heat = Hysteresis(raisesAt: 28.0, clearsAt: 25.0)

  mutating func apply(_ event: GreenhouseEvent) {
    switch event {
    case .temperature(let degrees):
      temperature = degrees
      heat.update(with: degrees)
    case .window(let isOpen): isWindowOpen = isOpen
    }
  }
}

/// The temperature once a second.
func temperatures(of sensor: @escaping @Sendable () -> Double, on time: some Scheduler) -> Observable<Double, Never> {
  Observable<Int, Never>.interval(.seconds(1), on: time).map { _ in sensor() }
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
  sources: temperatures(of: { .random(in: 18...30) }, on: time).map(GreenhouseEvent.temperature),
  commands(from: keyboard.observable)
)
let bag = SubscriptionBag()
greenhouse.select(\.isWindowOpen).subscribe { isOpen in
  print(isOpen ? "the window is open" : "the window is closed")
}.store(in: bag)
greenhouse.select(\.heat.isRaised).subscribe { isRaised in
  if isRaised { print("too hot: type open") }
}.store(in: bag)

Thread.detachNewThread {
  while let line = readLine() { keyboard.send(line) }
}

for await degrees in greenhouse.select(\.temperature).values {
  if let degrees { print("\(degrees.rounded()) °C") }
}
