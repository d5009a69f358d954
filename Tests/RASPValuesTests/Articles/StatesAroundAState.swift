import Aggregate
import RASPValues

// The code of the landing page and of the article "States around a state", as it stands there.

struct WindState: AggregateState {
  var lastMinute = RollingWindow<Double>(over: .seconds(60))
  var storm = Hysteresis(raisesAt: 25.0, clearsAt: 20.0)
  var freshness = Staleness(after: .seconds(5))

  mutating func apply(_ event: WindEvent) {
    switch event {
    case .speed(let speed, let instant):
      lastMinute.insert(speed, at: instant)
      storm.update(with: speed)
      freshness.refresh(at: instant)
    case .tick(let instant):
      lastMinute.advance(to: instant)
      freshness.advance(to: instant)
    }
  }
}

protocol ReversibleState: AggregateState {
  /// The event that takes `event` back. It is asked before the event is applied.
  func inverse(of event: Event) -> Event?
}

struct Reversible<Base: ReversibleState>: AggregateState {
  enum Event: Sendable { case change(Base.Event), undo, redo }

  private(set) var present: Base
  private var past: [(event: Base.Event, inverse: Base.Event)] = []
  private var future: [Base.Event] = []

  init(_ present: Base) { self.present = present }

  mutating func apply(_ event: Event) throws(Base.Rejection) {
    switch event {
    case .change(let change):
      try perform(change)
      future = []
    case .undo:
      guard let step = past.last else { return }
      try present.apply(step.inverse)
      past.removeLast()
      future.append(step.event)
    case .redo:
      guard let change = future.last else { return }
      try perform(change)
      future.removeLast()
    }
  }

  private mutating func perform(_ change: Base.Event) throws(Base.Rejection) {
    let inverse = present.inverse(of: change)
    try present.apply(change)
    if let inverse { past.append((change, inverse)) } else { past = [] }
  }
}

struct Optimistic<Base: AggregateState>: AggregateState {
  enum Event: Sendable { case change(Base.Event), predict(Base.Event, as: Int), confirm(Int), refuse(Int) }

  private(set) var confirmed: Base
  private(set) var present: Base
  private var waiting: [(id: Int, change: Base.Event)] = []

  init(_ confirmed: Base) { (self.confirmed, present) = (confirmed, confirmed) }

  mutating func apply(_ event: Event) throws(Base.Rejection) {
    switch event {
    case .change(let change): try confirmed.apply(change)
    case .predict(let change, let id):
      try present.apply(change)
      waiting.append((id, change))
      return
    case .confirm(let id):
      guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
      confirmed = Self.state(confirmed, after: waiting.remove(at: index).change)
    case .refuse(let id): waiting.removeAll { $0.id == id }
    }
    present = waiting.reduce(confirmed) { Self.state($0, after: $1.change) }
  }

  private static func state(_ state: Base, after change: Base.Event) -> Base {
    var changed = state
    do { try changed.apply(change) } catch { return state }
    return changed
  }
}

func rename(_ form: Aggregator<Optimistic<FormState>>, to name: String, as id: Int) async {
  form.send(.predict(.rename(name), as: id))
  do {
    try await server.rename(name)
    form.send(.confirm(id))
  } catch {
    form.send(.refuse(id))
  }
}

struct WeightedWindow: Sendable {
  private var weights: RollingWindow<Double>
  private var products: RollingWindow<Double>

  init(over duration: Duration) {
    weights = RollingWindow(over: duration)
    products = weights
  }

  mutating func insert(_ value: Double, weight: Double, at instant: Duration) {
    guard value.isFinite, weight.isFinite, weight >= 0 else { return advance(to: instant) }
    weights.insert(weight, at: instant)
    products.insert(value * weight, at: instant)
  }

  mutating func advance(to instant: Duration) {
    weights.advance(to: instant)
    products.advance(to: instant)
  }

  var mean: Double? { weights.sum > 0 ? products.sum / weights.sum : nil }
}

// What it uses and does not show.

enum WindEvent: Sendable {
  case speed(Double, Duration)
  case tick(Duration)
}

enum TextEvent: Sendable {
  case insert(String)
  case readers(Int)
}

struct Text: AggregateState {
  var letters = ""
  var readers = 0

  mutating func apply(_ event: TextEvent) {
    switch event {
    case .insert(let letters): self.letters += letters
    case .readers(let count): readers = count
    }
  }
}

enum FormEvent: Sendable, Equatable { case rename(String) }

struct FormState: AggregateState, Equatable {
  var name = ""

  mutating func apply(_ event: FormEvent) {
    switch event {
    case .rename(let name): self.name = name
    }
  }
}

struct Server: Sendable {
  struct Refusal: Error {}

  func rename(_ name: String) async throws { if name.isEmpty { throw Refusal() } }
}

let server = Server()
