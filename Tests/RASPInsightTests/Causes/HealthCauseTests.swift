import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite struct HealthCauseTests {
  @Test func aHealthIsCausedByTheChangeThatHasMadeIt() async {
    let (failing, recovering, target) = (Traced(), Traced(), Traced())
    let live = Box<Subject<String, TestError>>()
    let source = Observable<String, TestError>.deferred {
      let subject = Subject<String, TestError>()
      live.value = subject
      return subject.observable
    }
    let aggregator = Aggregator(initial: Words())
    aggregator.add(source.retry(.none, onEvent: aggregator.health.retries(of: "sensor")), as: "sensor")
    let (isHeld, hasRecovered) = (Gate(patience: longestWait), Gate(patience: longestWait))
    let tokens = [
      failing.aggregator.events.subscribe { _ in live.value?.fail(TestError(code: 1)) },
      recovering.aggregator.events.subscribe { live.value?.send($0) },
      aggregator.health.changes.subscribe { health in
        if health.name == "other" {
          isHeld.open()
          hasRecovered.hold()
        } else if health.outages > 0 {
          target.send("\(health.status)")
        }
      },
    ]
    await Threads.run(
      { aggregator.add(Observable<String, Never>.never, as: "other") },
      {
        isHeld.hold()
        failing.send("fail")
        recovering.send("recover")
        hasRecovered.open()
      }
    )
    // The subscriber was held while the source failed, so it hears only how it is now.
    #expect(target.causes == ["connected": recovering.identity("recover")])
    for token in tokens { token.cancel() }
  }
}
