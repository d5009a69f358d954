import RASPCommands
import RASPTesting
import Streams
import TestSupport

/// A command whose number tells its executions apart.
protocol Numbered: Command where Output == Int {
  var number: Int { get }
}

/// An engine whose handler notes the number of a command, and returns it when its gate is open.
func gatedEngine<C: Numbered>(_: C.Type, _ gates: [Latch], _ journal: Log<Int>) throws -> Engine {
  let engine = Engine()
  try engine.use(C.self) { command, _ in
    journal.note(command.number)
    await gates[command.number].wait()
    return command.number
  }
  return engine
}
