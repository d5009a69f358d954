import Aggregate
import Combine
import Distributed
import Observation
import RASPCommands
import RASPServices
import ServiceLifecycle
import Streams
import SwiftUI

import struct RASPCommands.Publisher
import struct RASPServices.Environment
import protocol RASPServices.EnvironmentKey
import struct RASPServices.EnvironmentValues
import struct RASPServices.Group
import protocol RASPServices.Service
import protocol Streams.Scheduler
import class Streams.Subject
import class Streams.Subscription

// One file that imports all modules. With one import for each name that is shared, all short names are those of RASP.

struct LimitKey: EnvironmentKey {
  static let defaultValue = 10
}

extension EnvironmentValues {
  var limit: Int {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }
}

struct LimitAction: Action {
  let number: Int
}

struct LimitCommand: ActionCommand {
  let number: Int

  func handle(publish: Publisher<LimitCommand>) -> Int {
    number
  }
}

struct LimitService: Service {
  @Environment(\.limit) private var limit
  let numbers: Subject<Int, Never>

  var body: some Service {
    Group {
      EmptyService()
    }
    .observe(on: LimitAction.self) { action in numbers.send(min(action.number, limit)) }
  }
}

func ticks(of time: some Scheduler) -> Observable<Int, Never> {
  .interval(.seconds(1), on: time)
}

func follow(_ numbers: Subject<Int, Never>, _ receive: @escaping @Sendable (Int) -> Void) -> Subscription {
  numbers.subscribe(receive)
}
