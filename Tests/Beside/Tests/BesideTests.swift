import Combine
import Distributed
import Observation
import RASPCommands
import RASPServices
import ServiceLifecycle
import Streams
import SwiftUI
import Synchronization
import Testing

import class Streams.Subject

/// The code that stands in the article runs, too.
@Suite("beside other frameworks", .timeLimit(.minutes(60)))
@MainActor
struct BesideTests {
  @Test("Combine: a subject of Streams speaks through a publisher")
  func combine() async {
    let thermometer = Thermometer()
    thermometer.start()
    var cancellable: AnyCancellable?
    let reading = await withCheckedContinuation { continuation in
      cancellable = thermometer.publisher.prefix(1).sink { continuation.resume(returning: $0) }
      thermometer.readings.send(21)
    }
    #expect(reading == 21)
    _ = cancellable
  }

  @Test("Combine: subjects of both end")
  func combineTheOtherWay() {
    let old = PassthroughSubject<Double, Never>()
    let new = Subject<Double, Never>()
    let ends = Mutex<[String]>([])
    let cancellable = old.sink { _ in
      ends.withLock { $0.append("old") }
    } receiveValue: { _ in
    }
    let subscription = new.subscribe { _ in
    } onEnd: { _ in
      ends.withLock { $0.append("new") }
    }
    finish(old, new)
    #expect(ends.withLock { $0 } == ["old", "new"])
    _ = (cancellable, subscription)
  }

  @Test("Combine: a handler publishes with the publisher of RASPCommands")
  func combineInCommands() async throws {
    let engine = Engine()
    try engine.use(TemperatureHandler())
    #expect(try await engine.execute(TemperatureCommand()).value == 21)
  }

  @Test("Observation: a model follows a stream and tells who observes it")
  func observation() async {
    let model = SpeedModel()
    let speeds = Subject<Double, Never>()
    model.follow(speeds.observable)
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = model.speed
      } onChange: {
        continuation.resume()
      }
      speeds.send(3)
    }
    #expect(model.speed == 3)
    #expect(kind(of: model) == "SpeedModel")
  }

  #if !canImport(Darwin)
    @Test("SwiftUI's stand-in: a view and a service in one file, each with its own environment")
    func swiftUI() async throws {
      #expect(StationView().shown == "open")
      let answers = Mutex<[String]>([])
      let cluster = try await Bootstrap {
        StationService().environment(\.station, "north")
      }
      try await cluster.send(action: StationQuestion { answer in answers.withLock { $0.append(answer) } })
      #expect(answers.withLock { $0 } == ["north"])
      await cluster.shutdown()
    }
  #endif

  @Test("ServiceLifecycle: the cluster is shut down with the group")
  func serviceLifecycle() async throws {
    let cluster = try await Bootstrap { EmptyService() }
    let group = ServiceGroup(services: [ClusterService(cluster: cluster)])
    async let running: Void = group.run()
    await group.triggerGracefulShutdown()
    try await running
    await #expect(throws: ClusterError.shutDown) {
      try await cluster.send(action: LimitAction(number: 1))
    }
  }

  @Test("Distributed: an actor that can be called from elsewhere folds what it is told")
  func distributed() async throws {
    let vehicle = Vehicle(actorSystem: LocalTestingDistributedActorSystem())
    #expect(try await vehicle.move(by: 2) == 2)
    #expect(try await vehicle.move(by: 3) == 5)
  }

  @Test("everything in one file")
  func everything() async throws {
    let numbers = Subject<Int, Never>()
    let received = Mutex<[Int]>([])
    let subscription = follow(numbers) { number in received.withLock { $0.append(number) } }
    let cluster = try await Bootstrap { LimitService(numbers: numbers) }
    try await cluster.send(action: LimitAction(number: Engine().execute(LimitCommand(number: 12)).value))
    await cluster.shutdown()
    #expect(received.withLock { $0 } == [10])
    _ = (subscription, ticks(of: .continuous))
  }
}
