import RASPTesting
import Streams

/// What a source does at an instant.
enum Happening: Sendable {
  case value(Int)
  case finish
  case fail(Fault)

  init(_ numbers: Numbers) {
    switch numbers.below(12) {
    case 0: self = .finish
    case 1: self = .fail(Fault(code: numbers.within(1...5)))
    default: self = .value(numbers.below(20))
    }
  }

  func reach(_ send: (Int) -> Bool, _ finish: () -> Bool, _ fail: (Fault) -> Bool) {
    switch self {
    case .value(let value): _ = send(value)
    case .finish: _ = finish()
    case .fail(let fault): _ = fail(fault)
    }
  }
}

extension Trees {
  func timer(after span: Duration) -> Observable<Void, Fault> {
    Observable.timer(after: span, on: time).setFailureType(to: Fault.self)
  }

  func source() -> Stream {
    switch numbers.below(14) {
    case 0, 1: Observable(numbers.list(numbers.below(5)) { numbers.below(20) }).setFailureType(to: Fault.self)
    case 2: .empty
    case 3: .never
    case 4: .fail(Fault(code: numbers.within(1...5)))
    case 5: timer(after: instant()).map { 1 }
    case 6: Observable.interval(instant(), on: time).setFailureType(to: Fault.self)
    case 7, 8, 9: numbers.pick(subjects).observable
    default: cold()
    }
  }

  /// Does the same after each subscription, sometimes several things at one instant, or at once.
  private func cold() -> Stream {
    var after = Duration.zero
    let steps = numbers.list(numbers.within(1...6)) {
      if !numbers.once(in: 4) { after += instant() / 3 }
      return (after: after, happening: Happening(numbers))
    }
    return Observable { [time] (producer: Producer<Int, Fault>) in
      let begin = time.now
      for step in steps {
        let timer = time.schedule(at: begin + step.after) {
          step.happening.reach(producer.send, producer.finish, producer.fail)
        }
        producer.onTermination { timer.cancel() }
      }
    }
  }
}
