import Aggregate
import RASPCommands
import RASPKeyed
import RASPServices
import Streams

/// The blocks of the article "What to take when".
struct WhatToTake {
  func lights(_ button: Subject<Bool, Never>) -> Observable<Bool, Never> {
    button.debounce(for: .milliseconds(50)).distinctUntilChanged()
  }

  struct House: AggregateState {
    enum Event: Sendable { case light(Bool), power(watts: Double) }

    var isLit = false
    var watts = 0.0

    mutating func apply(_ event: Event) {
      switch event {
      case .light(let isOn): isLit = isOn
      case .power(let watts): self.watts = watts
      }
    }
  }

  struct Reading: Sendable {
    var room: String
    var degrees: Double
  }

  struct Room: AggregateState {
    var degrees: Double?

    mutating func apply(_ reading: Reading) { degrees = reading.degrees }
  }

  enum HeatingAction: Action {
    case measured(Double)
    case switched(Bool)
  }

  struct Heating: Sendable {
    var isOn = false
  }

  struct Calendar: Sendable {
    var holidays: [String] = []
  }

  struct CalendarService: Service {
    let load: @Sendable (_ year: Int) async throws -> [String]

    var body: some Service {
      Store(model: Calendar.self)
        .mutate(on: YearBegan.self) { calendar, action, send in
          calendar.holidays = try await load(action.year)
        }
    }
  }

  struct YearBegan: Action {
    let year: Int
  }

  struct Forecast: Command {
    typealias Output = Double
    let day: Int
  }

  struct ForecastHandler: CommandHandler {
    func handle(_ command: Forecast, publish: Publisher<Forecast>) async throws -> Double {
      18 + Double(command.day)
    }
  }

  /// Switches the heating.
  struct Relay: Sendable {
    let switched = Subject<Bool, Never>()

    func set(_ isOn: Bool) async throws { switched.send(isOn) }
  }

  func aggregator(
    button: Subject<Bool, Never>,
    meter: Observable<Double, Never>
  ) -> (Aggregator<House>, Subscription) {
    let house = Aggregator(
      initial: House(),
      sources: lights(button).map(House.Event.light),
      meter.map { House.Event.power(watts: $0) }
    )
    let token = house.select(\.watts).subscribe { print($0) }
    return (house, token)
  }

  func rows() -> [String] {
    let rooms = KeyedAggregator(by: \Reading.room, initial: { _ in Room() })
    rooms.send(Reading(room: "kitchen", degrees: 21))
    let warmest = rooms.ranked(by: { $0.degrees ?? .nan }, first: 3)
    return warmest.current.map(\.key)
  }

  func services(relay: Relay) async throws -> Cluster {
    let heating = Reducer(state: Heating(), context: relay) { (state: inout Heating, action: HeatingAction) in
      switch action {
      case .switched(let isOn):
        state.isOn = isOn
        return nil
      case .measured(let degrees):
        let needed = degrees < 19
        guard needed != state.isOn else { return nil }
        return { send, relay in
          try await relay.set(needed)
          try await send(HeatingAction.switched(needed))
        }
      }
    }

    let cluster = try await Bootstrap {
      heating
      CalendarService { _ in ["1 January"] }.with(model: Calendar())
    }
    try await cluster.send(action: YearBegan(year: 2027))
    return cluster
  }

  func command() async throws -> Double {
    let engine = Engine()
    try engine.use(ForecastHandler())
    let tomorrow = try await engine.value(of: Forecast(day: 1))
    return tomorrow
  }
}
