import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// The article "Sources that fail and come back", run.
@Suite("Sources that fail and come back", .endsInTime)
struct SourcesThatFail {
  struct GPSError: Error, Equatable {
    var isTransient: Bool
  }

  func fixes(
    from device: @escaping @Sendable () -> Observable<String, GPSError>,
    on time: some Scheduler,
    onEvent: @escaping @Sendable (RetryEvent) -> Void
  ) -> Observable<String, GPSError> {
    Observable.deferred { () throws(GPSError) in device() }
      .timeout(after: .seconds(5), on: time, failure: GPSError(isTransient: true))
      .retry(
        .exponential(from: .seconds(1), limit: .seconds(60), jitter: 0.5),
        on: time,
        if: { $0.isTransient },
        onEvent: onEvent
      )
  }

  struct Boat: AggregateState {
    enum Event: Sendable { case fix(String), depth(Double) }

    var fix: String?
    var depth: Double?

    mutating func apply(_ event: Event) {
      switch event {
      case .fix(let fix): self.fix = fix
      case .depth(let depth): self.depth = depth
      }
    }
  }

  func boat(
    gps device: @escaping @Sendable () -> Observable<String, GPSError>,
    sounder: Observable<Double, Never>,
    on time: some Scheduler
  ) -> Aggregator<Boat> {
    let boat = Aggregator(initial: Boat(), sources: sounder.map(Boat.Event.depth))
    let gps = fixes(from: device, on: time, onEvent: boat.health.retries(of: "gps"))
    boat.add(gps.map(Boat.Event.fix), as: "gps", on: time)
    return boat
  }

  @Test("a device comes back, and the aggregator knows of its outage")
  func outage() {
    let time = VirtualScheduler()
    let devices = Log<Subject<String, GPSError>>()
    let boat = boat(
      gps: {
        let device = Subject<String, GPSError>()
        devices.note(device)
        return device.observable
      },
      sounder: .never,
      on: time
    )
    let tokens = watch(boat)
    devices.entries[0].send("54° N")
    devices.entries[0].fail(GPSError(isTransient: true))
    #expect(boat.snapshot.fix == "54° N")
    time.advance(by: .seconds(1))
    #expect(devices.entries.count == 2)
    devices.entries[1].send("55° N")
    #expect(boat.snapshot.fix == "55° N")
    #expect(boat.health["gps"]?.outages == 1)
    #expect(boat.health["gps"]?.isConnected == true)
    time.advance(by: .seconds(6))  // silent for five seconds, and connected anew
    #expect(devices.entries.count == 3)
    #expect(boat.health["gps"]?.isConnected == false)
    devices.entries[2].fail(GPSError(isTransient: false))
    guard case .failed = boat.health["gps"]?.status else {
      Issue.record("The source is not reported as failed.")
      return
    }
    withExtendedLifetime(tokens) {}
  }

  private func watch(_ boat: Aggregator<Boat>) -> [Subscription] {
    let failures = boat.sourceFailures.subscribe { print("detached:", $0.error) }
    let lights = boat.health.changes.subscribe { health in
      switch health.status {
      case .connected: print(health.name, "is connected")
      case .retrying: print(health.name, "tries again, try", health.attempts)
      case .ended, .failed, .removed: print(health.name, "is over")
      @unknown default: print(health.name, "has a condition that this program does not know")
      }
    }
    return [failures, lights]
  }
}
