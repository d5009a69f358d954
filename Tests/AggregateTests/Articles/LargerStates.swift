import Aggregate
import Streams

// The code of the article "Larger states out of smaller ones", as it stands there.

enum RadioEvent: Sendable, Equatable { case tune(Int), mute(Bool) }

struct RadioState: AggregateState, Equatable {
  var channel = 16
  var isMuted = false

  mutating func apply(_ event: RadioEvent) {
    switch event {
    case .tune(let channel): self.channel = channel
    case .mute(let isMuted): self.isMuted = isMuted
    }
  }
}

struct TankState: AggregateState, Equatable {
  struct Overflow: Error {}
  var litres = 0.0

  mutating func apply(_ event: Double) throws(Overflow) {
    guard litres + event <= 100 else { throw Overflow() }
    litres += event
  }
}

enum ShipEvent: Sendable {
  case radio(RadioEvent)
  case tank(Double)
}

struct ShipState: AggregateState {
  var radio = RadioState()
  var tank = TankState()

  mutating func apply(_ event: ShipEvent) throws(TankState.Overflow) {
    switch event {
    case .radio(let event): radio.apply(event)
    case .tank(let litres): try tank.apply(litres)
    }
  }
}

struct Rang: AggregateEvent { var bells: Int }

struct WatchState: AggregateState {
  var bells = 0
  var others = 0

  mutating func apply(_ event: any AggregateEvent) {
    if let event = event as? Rang { bells = event.bells } else { others += 1 }
  }
}

struct RadioPanel {
  let radio: ScopedAggregator<RadioState, RadioEvent>

  func channels(_ show: @escaping @Sendable (Int) -> Void) -> Subscription {
    radio.select(\.channel).subscribe(show)
  }

  func callForHelp() {
    radio.send(.mute(false))
    radio.send(.tune(16))
  }
}

struct HarbourState: AggregateState {
  var price = 2.0

  mutating func apply(_ price: Double) { self.price = price }
}

struct LogbookState: AggregateState {
  var channels: [Int] = []

  mutating func apply(_ channel: Int) { channels.append(channel) }
}

/// What the article makes, for the test that runs it.
struct LargerStates {
  let ship: Aggregator<ShipState>
  let panel: RadioPanel
  let line: Selection<String>
  let board: Observable<Double, Never>
  let logbook: Aggregator<LogbookState>

  init(tuner: Observable<RadioEvent, Never>, pump: Observable<Double, Never>, harbour: Aggregator<HarbourState>) {
    let ship = Aggregator(initial: ShipState(), sources: tuner.map(ShipEvent.radio), pump.map(ShipEvent.tank))

    let panel = RadioPanel(radio: ship.scope(\.radio, sending: ShipEvent.radio))

    let channel = StateSelector(\ShipState.radio.channel)
    let litres = StateSelector(\ShipState.tank.litres)
    let summary = StateSelector(combining: channel, litres) { "channel \($0), \($1) litres" }
    let line = ship.select(summary)

    let fields = Observable.combineLatest(ship.select(\.tank.litres), harbour.select(\.price))
    let board = fields.map { litres, price in (100 - litres) * price }.distinctUntilChanged()

    let logbook = Aggregator(initial: LogbookState(), sources: ship.select(\.radio.channel))
    (self.ship, self.panel, self.line, self.board, self.logbook) = (ship, panel, line, board, logbook)
  }
}
