import Aggregate
import Observation
import RASPObservation
import RASPTesting
import TestSupport

/// Fields of several kinds: of a word and less, of more than a word, one that cannot be compared, and a computed one.
nonisolated struct DeskState: AggregateState {
  struct Address: Sendable, Equatable {
    var street = ""
    var number = 0
  }

  struct Opaque: Sendable {
    var value = 0
  }

  /// Does not equal itself.
  struct Wind: Sendable, Equatable {
    var speed = 0.0
    var gust = Double.nan
  }

  enum Event: Sendable {
    case rename(String)
    case open(Bool)
    case close(Bool)
    case move(street: String, number: Int)
    case measure(Double)
    case mark(Int)
    case blow(Double)
    case own
    case other
  }

  var isOpen = false
  var isClosed = false
  var name = ""
  var address = Address()
  var reading = 0.0
  var opaque = Opaque()
  var wind = Wind()
  var own = 0
  var others = 0

  var initial: Character? { name.first }

  subscript(letter index: Int) -> Character? { name.dropFirst(index).first }

  mutating func apply(_ event: Event) {
    switch event {
    case .rename(let name): self.name = name
    case .open(let isOpen): self.isOpen = isOpen
    case .close(let isClosed): self.isClosed = isClosed
    case .move(let street, let number): address = Address(street: street, number: number)
    case .measure(let reading): self.reading = reading
    case .mark(let value): opaque.value = value
    case .blow(let speed): wind.speed = speed
    case .own: own += 1
    case .other: others += 1
    }
  }
}

/// A state that takes names that are not empty.
nonisolated struct StrictState: AggregateState {
  struct EmptyName: Error {}

  var name = "Kim"

  mutating func apply(_ name: String) throws(EmptyName) {
    self.name = name
    if name.isEmpty { throw EmptyName() }
  }
}

/// Counts how often what `read` reads has changed: one at most, since observers have to read again.
func changes(of read: () -> Void) -> Counter {
  let counter = Counter()
  withObservationTracking(read) { counter.increment() }
  return counter
}

/// Runs `body` on a thread while the main actor waits, so that it has no turn meanwhile.
func onOtherThread(_ body: @Sendable () -> Void) {
  Threads.run(count: 1) { _ in body() }
}
