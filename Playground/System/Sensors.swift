import Aggregate
import Streams

/// A sensor has failed, because the user wanted to see that.
struct SensorFailure: Error, CustomStringConvertible {
  let description = "the sensor does not answer"
}

/// The sensors of this machine as sources: each is read by a timer of its own, and comes back by itself when it has
/// failed.
struct Sensors: Sendable {
  let scheduler: any Scheduler
  /// Is told how each sensor fares.
  let health: HealthBoard
  /// The names of sensors that are to fail.
  let faults = Subject<String, Never>()

  /// A source of what a sensor says, at once and then once per period.
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
    let ticks = Observable<Void, Never>.merge(
      Observable.timer(after: .zero, on: scheduler),
      Observable<Int, Never>.interval(period, on: scheduler).map { _ in }
    )
    let readings = ticks.compactMap { read() }.setFailureType(to: SensorFailure.self)
    let failures = faults.observable.filter { $0 == name }
      .setFailureType(to: SensorFailure.self)
      .map { _ throws(SensorFailure) -> SystemEvent in throw SensorFailure() }
    return Observable<SystemEvent, SensorFailure>.merge(readings, failures)
      .retry(.exponential(from: .seconds(3)), on: scheduler, onEvent: health.retries(of: name))
      .monitored(by: health, as: name, on: scheduler)
  }

  /// What a key does to the sensors, in words; `nil` if it does nothing.
  func press(_ key: TerminalKey) -> String? {
    let names = SystemEvent.sourceNames
    guard
      case .character(let character) = key, let number = character.wholeNumberValue,
      names.indices.contains(number - 1)
    else { return nil }
    faults.send(names[number - 1])
    return "\(names[number - 1]) has failed, and tries again in 3 seconds"
  }
}
