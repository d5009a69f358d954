import FleetProcesses
import Foundation
import RASPLogs

/// A fleet from its start to its end.
struct FleetRun: Sendable {
  private enum Command: Sendable {
    case kill, start, quit, look
  }

  /// The commands that may wait. More are dropped: a picture is drawn again soon, and a key can be pressed again.
  private static let greatestBacklog = 64

  let options: FleetOptions
  let servers: [String]
  let mqttPort: Int?
  let log: any EventLog<Reading>

  func run() async throws {
    let fleet = Fleet(partitions: log.partitions) { [self] name, onLine in
      try await ChildProcess(ParentProcess.ownExecutable, words(.owner) + ["--name", name], onLine: onLine)
    }
    let sensors = try await ChildProcess(ParentProcess.ownExecutable, words(.sensors))
    for _ in 0..<options.owners { try await fleet.add() }
    let terminal = Terminal()
    defer { terminal?.close() }
    try await watch(fleet, terminal)
    sensors.send(signal: SIGKILL)
    await fleet.end()
  }

  private func watch(_ fleet: Fleet, _ terminal: Terminal?) async throws {
    let (commands, sending) = AsyncStream.makeStream(
      of: Command.self,
      bufferingPolicy: .bufferingOldest(Self.greatestBacklog)
    )
    Interrupt.watch { sending.yield(.quit) }
    let tasks = [
      Task {
        for await key in terminal?.keys ?? AsyncStream(unfolding: { nil }) {
          switch key {
          case "k": sending.yield(.kill)
          case "n": sending.yield(.start)
          case "q": sending.yield(.quit)
          default: break
          }
        }
      },
      Task {
        while !Task.isCancelled {
          sending.yield(.look)
          try? await Task.sleep(for: terminal == nil ? .seconds(1) : .milliseconds(250))
        }
      },
    ]
    defer { for task in tasks { task.cancel() } }
    let title = "\(options.sensors) sensors by \(options.way.rawValue), \(servers.joined(separator: " "))"
    var watch = FleetWatch(title: title, fleet: fleet, log: log)
    // The time counts from when each partition has an owner, if that comes at all.
    var end = options.seconds.map { ContinuousClock.now + .seconds($0 + 30) }
    var isComplete = false
    for await command in commands {
      switch command {
      case .kill: fleet.killOne()
      case .start: try await fleet.add()
      case .quit: return
      case .look:
        guard let picture = try await look(&watch) else { continue }
        if let terminal { terminal.draw(picture.table) } else { ParentProcess.tell(picture.line) }
        if !isComplete, picture.orphans.isEmpty {
          isComplete = true
          end = options.seconds.map { .now + .seconds($0) }
        }
        if let end, .now >= end { return }
      }
    }
  }

  /// - Returns: `nil` while the servers do not answer.
  private func look(_ watch: inout FleetWatch) async throws(LogError) -> FleetPicture? {
    do throws(LogError) {
      return try await watch.picture()
    } catch {
      if error.isTemporary { return nil }
      throw error
    }
  }

  /// The arguments of this program, and more: where one stands twice the last one counts.
  private func words(_ role: FleetRole.Kind) -> [String] {
    var words = ["--role", role.rawValue] + CommandLine.arguments.dropFirst()
    if options.servers.isEmpty { words += ["--servers"] + servers }
    if let mqttPort { words += ["--mqtt", "\(mqttPort)"] }
    return words
  }
}
