import Aggregate
import Streams

// The program of the article "Getting started".

enum WeatherEvent: Sendable {
  case temperature(Double)
  case wind(Double)
}

struct Weather: AggregateState {
  var temperature: Double?
  var strongestWind = 0.0

  mutating func apply(_ event: WeatherEvent) {
    switch event {
    case .temperature(let degrees): temperature = degrees
    case .wind(let speed): strongestWind = max(strongestWind, speed)
    }
  }
}

func gettingStarted() async {
  let thermometer = Observable.interval(.seconds(1)).map { _ in Double.random(in: 18...22) }
  let gauge = Subject<Double, Never>()
  let weather = Aggregator(
    initial: Weather(),
    sources: thermometer.map(WeatherEvent.temperature),
    gauge.map(WeatherEvent.wind)
  )

  let token = weather.select(\.strongestWind).subscribe { print("strongest wind:", $0) }
  gauge.send(7)
  gauge.send(5)  // the field does not change, so nothing is printed
  gauge.send(11)

  for await degrees in weather.select(\.temperature).values {
    if let degrees { print("temperature:", degrees) }
  }

  _ = token
}
