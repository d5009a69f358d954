import Aggregate
import Distributed
import Streams

struct Odometer: AggregateState {
  var distance = 0

  mutating func apply(_ step: Int) { distance += step }
}

distributed actor Vehicle {
  typealias ActorSystem = LocalTestingDistributedActorSystem

  private let odometer = Aggregator(initial: Odometer())

  distributed func move(by step: Int) -> Int {
    odometer.send(step)
    return odometer.snapshot.distance
  }
}
