import Aggregate
import RASPTesting
import Streams
import Testing

struct GreenhouseTests {
  @Test("the window stays closed in a storm")
  func storm() {
    given(Greenhouse(isWindowOpen: true)).when(.storm(true)).then {
      $0.isStormy = true
      $0.isWindowOpen = false
    }
    given(Greenhouse(isStormy: true)).when(.window(isOpen: true)).rejected { #expect($0.count == 1) }
  }

  @Test("a temperature is stale three seconds after a sensor has fallen silent")
  func silence() {
    let time = VirtualScheduler()
    let failing = Subject<Bool, Never>(initial: false)
    let greenhouse = makeGreenhouse(
      sensor: { () throws(SensorError) in
        if failing.latest == true { throw SensorError() }
        return 29
      },
      lines: .never,
      on: time
    )
    time.advance(by: .seconds(2))
    #expect(greenhouse.snapshot.heat.isRaised)
    #expect(!greenhouse.snapshot.freshness.isStale)

    failing.send(true)
    time.advance(by: .seconds(3))
    #expect(greenhouse.snapshot.freshness.isStale)
    #expect(greenhouse.health["thermometer"]?.outages == 1)

    failing.send(false)
    time.advance(by: .seconds(30))
    #expect(!greenhouse.snapshot.freshness.isStale)
  }
}
