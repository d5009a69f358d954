// A program in the words of RaspSwift after the edits of the tables of "Migrating from RaspSwift", and, for its
// streams, of "Migrating from RxSwift". What stood in a line before an edit stands beside it. `.ci/run` has the
// compiler read it outside of the package.

import Aggregate
import Streams

struct Turned: AggregateEvent {  // RaspEvent
  var degrees: Double
}

struct Sounded: AggregateEvent {  // RaspEvent
  var metres: Double
}

struct VoyageState: AggregateState {  // RaspState
  var heading = 0.0
  var depths: [Double] = []

  mutating func apply(_ event: any AggregateEvent) {  // apply(event: RaspEvent)
    switch event {
    case let turned as Turned: heading = turned.degrees
    case let sounded as Sounded: depths.append(sounded.metres)
    default: break
    }
  }
}

final class Bridge: Sendable {
  static let lastDepth = StateSelector<VoyageState, Double?> { $0.depths.last }  // RaspSelector

  private let lead = EventSource<any AggregateEvent, Never>()  // RaspSource
  private let voyage: Aggregator<VoyageState>  // RaspAggregator
  private let bag = SubscriptionBag()  // DisposeBag

  init(compass: Observable<Double, Never>, keel: Subject<Double, Never>) {
    // Observable<Int>.interval(0.3, scheduler: MainScheduler.instance).take(5)
    let waves = Observable.interval(.milliseconds(300)).prefix(5).map { Sounded(metres: Double($0)) }
    voyage = Aggregator(
      initial: VoyageState(),
      sources: compass.map { Turned(degrees: $0) as any AggregateEvent },  // .asRaspEvent()
      keel.map { Sounded(metres: $0) as any AggregateEvent },
      waves.map { $0 as any AggregateEvent },
      lead.events  // lead.value
    )
    voyage.states  // state
      .subscribe { print("the heading is \($0.heading)") }  // subscribe(onNext:)
      .store(in: bag)  // disposed(by:)
    voyage.select(Self.lastDepth)  // select(selector:)
      .subscribe { print("the last depth is \($0 ?? .nan)") }
      .store(in: bag)
  }

  func sound(_ metres: Double) {
    voyage.send(Sounded(metres: metres))  // manual(event:)
  }

  func replay(_ soundings: Observable<Double, Never>) {
    lead.jump(to: soundings.map { Sounded(metres: $0) as any AggregateEvent })
  }

  func sail(by compass: Observable<Double, Never>) {
    voyage.replace(sources: compass.map { Turned(degrees: $0) as any AggregateEvent })
  }
}
