import Aggregate
import RASPKeyed
import Streams

// The code of the article "Many things of one kind", as it stands there.

struct MeterReading: Sendable {
  let meter: String
  let litres: Int
}

struct Meter: AggregateState, Equatable {
  var litres = 0
  var used = 0

  mutating func apply(_ reading: MeterReading) {
    if litres > 0 { used += reading.litres - litres }
    litres = reading.litres
  }
}

struct Meters: Sendable {
  let parts = (0..<4).map { _ in KeyedAggregator(by: \MeterReading.meter, initial: { _ in Meter() }) }

  subscript(meter: String) -> KeyedAggregator<String, Meter> {
    parts[Int(UInt(bitPattern: meter.hashValue) % UInt(parts.count))]
  }

  var highest: Observable<[RankedRow<String, Meter, Int>], Never> {
    let parts = parts.map { $0.ranked(by: \.litres, first: 3).observable }
    return Observable.combineLatest(parts[0], parts[1], parts[2], parts[3]).map { rows in
      Array([rows.0, rows.1, rows.2, rows.3].joined().sorted { $0.value > $1.value }.prefix(3))
    }
  }
}

enum WalletEvent: Sendable {
  case wanted(id: String)
  case loaded(id: String, cents: Int)
  case booked(id: String, cents: Int)

  var id: String {
    switch self {
    case .wanted(let id), .loaded(let id, _), .booked(let id, _): id
    }
  }
}

struct Wallet: AggregateState, Equatable {
  var cents = 0
  var isLoaded = false

  mutating func apply(_ event: WalletEvent) {
    switch event {
    case .wanted: break
    case .booked(_, let cents): self.cents += cents
    case .loaded(_, let cents):
      guard !isLoaded else { return }
      // What was booked in the meantime counts, too.
      self.cents += cents
      isLoaded = true
    }
  }
}

enum OrderEvent: Sendable {
  case put(item: String, cents: Int)
  case removed(item: String)
}

struct OrderState: AggregateState, Equatable {
  var items: Keyed<String, Int> = [:]
  var total = 0

  mutating func apply(_ event: OrderEvent) {
    switch event {
    case .put(let item, let cents):
      total += cents - (items[item] ?? 0)
      items[item] = cents
    case .removed(let item):
      total -= items.removeValue(forKey: item) ?? 0
    }
  }
}
