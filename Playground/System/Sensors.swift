import Aggregate
import Streams

/// A sensor has failed, because the user wanted to see that.
struct SensorFailure: Error, CustomStringConvertible {
  let description = "the sensor does not answer"
}

/// The sensors of this machine as sources: each is read by a timer of its own, and comes back by itself when it has
/// failed.
struct Sensors: Sendable {
  /// How fast all of them are read: a state by itself, so that a sensor that comes back knows the present pace.
  struct Pace: AggregateState {
    private(set) var factor = 1.0

    mutating func apply(_ factor: Double) { self.factor = min(16, max(0.125, self.factor * factor)) }
  }

  let scheduler: any Scheduler
  let pace = Aggregator(initial: Pace())
  /// The numbers of sensors that are to fail, counted from 0.
  let faults = Subject<Int, Never>()

  /// A source of what a sensor says.
  ///
  /// - Parameters:
  ///   - name: its name, one of those of the events.
  ///   - period: the time from one reading to the next.
  ///   - read: returns `nil` for a sensor that this machine lacks.
  func source(
    _ name: String,
    every period: Duration,
    _ read: @escaping @Sendable () -> SystemEvent?
  ) -> Observable<SystemEvent, SensorFailure> {
    let number = SystemEvent.sourceNames.firstIndex(of: name)
    let readings = pace.select(\.factor).observable
      .map { [scheduler] factor in ticks(every: period * factor, on: scheduler) }
      .switchToLatest()
      .compactMap { _ in read() }
      .setFailureType(to: SensorFailure.self)
    let failures = faults.observable.filter { $0 == number }
      .setFailureType(to: SensorFailure.self)
      .map { _ throws(SensorFailure) -> SystemEvent in throw SensorFailure() }
    return Observable<SystemEvent, SensorFailure>.merge(readings, failures)
      .retry(.exponential(from: .seconds(3)), on: scheduler)
      .named(name, on: scheduler)
  }

  /// What a key does to the sensors, in words; `nil` if it does nothing.
  func press(_ key: TerminalKey) -> DashboardMessage? {
    guard case .character(let character) = key else { return nil }
    switch character {
    case "+", "-":
      pace.send(character == "+" ? 0.5 : 2)
      let factor = (1 / pace.snapshot.factor).trimmed(decimals: 4)
      return DashboardMessage("the sensors are read at \(factor) times their pace")
    default:
      let names = SystemEvent.sourceNames
      guard let number = character.wholeNumberValue, names.indices.contains(number - 1) else { return nil }
      faults.send(number - 1)
      let name = names[number - 1]
      return DashboardMessage("\(name) has failed, and tries again in 3 seconds", untilBack: name)
    }
  }

  static let help = [
    "1 … 6   let a sensor fail, and see it come back",
    "+ -     read all sensors twice as often, or half as often",
  ]
}

/// Ticks at once, and then once per period.
private func ticks(every period: Duration, on scheduler: any Scheduler) -> Observable<Void, Never> {
  .merge(
    .timer(after: .zero, on: scheduler),
    Observable<Int, Never>.interval(period, on: scheduler).map { _ in }
  )
}
