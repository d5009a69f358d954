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
    let token = readings(Sensors(scheduler: scheduler), log)
    scheduler.advance(by: .seconds(2))
    #expect(log.entries == [.zero, .seconds(1), .seconds(2)])
    withExtendedLifetime(token) {}
  }

  @Test("a sensor that fails comes back after three seconds, the others do not notice")
  func fault() {
    let (scheduler, log) = (VirtualScheduler(), Log<Duration>())
    let sensors = Sensors(scheduler: scheduler)
    let token = readings(sensors, log)
    scheduler.advance(by: .seconds(1))
    #expect(sensors.press(.character("1"))?.text.hasPrefix("processor has failed") == true)
    scheduler.advance(by: .seconds(1))
    #expect(sensors.press(.character("2"))?.text.hasPrefix("memory has failed") == true)
    scheduler.advance(by: .seconds(4))
    #expect(log.entries == [.zero, .seconds(1), .seconds(2), .seconds(5), .seconds(6)])
    withExtendedLifetime(token) {}
  }

  @Test("all sensors are read faster or slower, within limits")
  func pace() {
    let (scheduler, log) = (VirtualScheduler(), Log<Duration>())
    let sensors = Sensors(scheduler: scheduler)
    let token = readings(sensors, log)
    scheduler.advance(by: .milliseconds(100))
    #expect(sensors.press(.character("+"))?.text.contains(" 2 times") == true)
    scheduler.advance(by: .seconds(1))
    #expect(log.entries == [.zero, .milliseconds(100), .milliseconds(600), .milliseconds(1_100)])
    for _ in 0..<20 { _ = sensors.press(.character("-")) }
    #expect(sensors.pace.snapshot.factor == 16)
    #expect(sensors.press(.character("9")) == nil)
    #expect(sensors.press(.tab) == nil)
    withExtendedLifetime(token) {}
  }
}
