import Combine
import Streams

import protocol Streams.Scheduler
import class Streams.Subject
import class Streams.Subscription

/// Speaks to new code as a stream, and to code from before as a publisher.
@MainActor
final class Thermometer {
  let readings = Subject<Double, Never>()
  private let published = PassthroughSubject<Double, Never>()
  private var forwarding: Subscription?

  var publisher: AnyPublisher<Double, Never> { published.eraseToAnyPublisher() }

  func start(every second: Duration = .seconds(1), on time: some Scheduler = .continuous) {
    forwarding = readings.observable
      .throttle(for: second, on: time)
      .receive(on: MainActor.shared)
      .subscribe { [published] reading in published.send(reading) }
  }
}
