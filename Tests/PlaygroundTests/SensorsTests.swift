import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The sensors")
struct SensorsTests {
  private func readings(_ sensors: Sensors, _ log: Log<Duration>) -> Subscription {
    sensors.source("memory", every: .seconds(1)) {
      log.note(sensors.scheduler.now)
      return .memory(Memory(used: 1, total: 2))
    }.subscribe { _ in }
  }

  @Test("a sensor is read at once and then once per period")
  func periods() {
    let (scheduler, log) = (VirtualScheduler(), Log<Duration>())
    let token = readings(Sensors(scheduler: scheduler, health: HealthBoard()), log)
    scheduler.advance(by: .seconds(2))
    #expect(log.entries == [.zero, .seconds(1), .seconds(2)])
    withExtendedLifetime(token) {}
  }

  @Test("a sensor that fails comes back after three seconds, the others do not notice")
  func fault() {
    let (scheduler, log) = (VirtualScheduler(), Log<Duration>())
    let sensors = Sensors(scheduler: scheduler, health: HealthBoard())
    let token = readings(sensors, log)
    scheduler.advance(by: .seconds(1))
    #expect(sensors.press(.character("1"))?.hasPrefix("processor has failed") == true)
    scheduler.advance(by: .seconds(1))
    #expect(sensors.press(.character("2"))?.hasPrefix("memory has failed") == true)
    scheduler.advance(by: .seconds(4))
    #expect(log.entries == [.zero, .seconds(1), .seconds(2), .seconds(5), .seconds(6)])
    withExtendedLifetime(token) {}
  }

  @Test("other keys do nothing")
  func otherKeys() {
    let sensors = Sensors(scheduler: VirtualScheduler(), health: HealthBoard())
    #expect(sensors.press(.character("9")) == nil && sensors.press(.tab) == nil)
  }
}
