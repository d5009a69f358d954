import Combine
import RASPCommands

import struct RASPCommands.Publisher

struct TemperatureCommand: Command {
  typealias Output = Double
}

struct TemperatureHandler: CommandHandler {
  func handle(_ command: TemperatureCommand, publish: Publisher<TemperatureCommand>) async throws -> Double {
    publish(data: 20)
    return 21
  }
}
