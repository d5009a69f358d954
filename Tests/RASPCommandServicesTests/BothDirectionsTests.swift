import RASPCommandServices
import RASPCommands
import RASPPrimitives
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Both directions at once", .endsInTime)
struct BothDirectionsTests {
  private struct Count: Sendable {
    var value = 0
  }

  /// A store of a value that executes a command, whose handler sends back to the same store.
  private struct RoundTrip: Service {
    let engine: Engine
    let counts: Log<Int>

    var body: some Service {
      Store(model: Count.self)
        .mutate(on: SearchAction.self) { _, _, _ in try await engine.execute(Logout()).value }
        .mutate(on: IdentityAction.self) { count, _, _ in
          count.value += 1
          counts.note(count.value)
        }
        .with(model: Count())
    }
  }

  @Test("a mutation waits for a command whose handler sends to the same model: neither waits for ever")
  func roundTrip() async throws {
    let engine = Engine()
    let counts = Log<Int>()
    let cluster = try await Bootstrap { RoundTrip(engine: engine, counts: counts) }
    try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
    for round in 1...100 {
      try await cluster.send(action: SearchAction(words: ""))
      #expect(counts.entries.count == round)
    }
    #expect(counts.entries == Array(1...100))
  }

  private struct Ask: Command {
    typealias Output = Int
    static let overlap = OverlapPolicy.serial
    let number: Int
  }

  private struct Asked: Action {
    let number: Int
  }

  @Test("a round trip: an action of a serial service executes a serial command, whose handler sends the action again")
  func serialRoundTrip() async throws {
    let engine = Engine()
    let (asked, slot) = (Log<Int>(), Box<Cluster>())
    try engine.use(Ask.self) { command, _ in
      if command.number > 0 { try await slot.value?.send(action: Asked(number: command.number - 1)) }
      return command.number
    }
    let cluster = try await Bootstrap {
      On(Asked.self) { action, _ in
        asked.note(action.number)
        _ = try await engine.value(of: Ask(number: action.number))
      }
      .overlapping(.serial)
    }
    slot.value = cluster
    for _ in 0..<2 {
      try await cluster.send(action: Asked(number: 3))
      #expect(try await engine.value(of: Ask(number: 2)) == 2)
    }
    #expect(asked.entries == [3, 2, 1, 0, 1, 0, 3, 2, 1, 0, 1, 0])
    slot.value = nil
  }

  @Test("a mutation waits for a command in line, which another task's command starts: it sends to the model as its own")
  func queuedRoundTrip() async throws {
    let engine = Engine()
    let (counts, gate, slot) = (Log<Int>(), Latch(), Box<Cluster>())
    try engine.use(Ask.self) { command, _ in
      if command.number == 0 { await gate.wait() } else { try await slot.value?.send(action: Asked(number: 1)) }
      return command.number
    }
    let cluster = try await Bootstrap {
      Store(model: Count.self)
        .mutate(on: SearchAction.self) { count, _, _ in
          let execution = engine.execute(Ask(number: 1))
          // It stands in line behind the one that was executed outside of all mutations.
          gate.open()
          count.value += try await execution.value
        }
        .mutate(on: Asked.self) { count, action, _ in
          count.value += action.number
          counts.note(count.value)
        }
        .with(model: Count())
    }
    slot.value = cluster
    let first = engine.execute(Ask(number: 0))
    try await cluster.send(action: SearchAction(words: ""))
    #expect(try await first.value == 0)
    #expect(counts.entries == [2])
    slot.value = nil
  }

  @Test("a command that would go round for ever fails, whichever side it starts on, and names the remedy")
  func circular() async throws {
    let engine = Engine()
    let cluster = try await Bootstrap {
      Store(model: Engine.self).execute(IdentityAction.self).with(model: engine)
    }
    try engine.use(IdentityAction.self, sendingTo: cluster)
    for error in [
      await failure { try await engine.execute(IdentityAction.logout).value },
      await failure { try await cluster.send(action: IdentityAction.logout) },
    ] {
      let circular = try #require(error as? CircularCommandError)
      #expect(ObjectIdentifier(circular.command) == ObjectIdentifier(IdentityAction.self))
      #expect(circular.description.contains("Remove either `.execute("))
      #expect(circular.description.contains("IdentityAction"))
    }
  }

  @Test("so does a command that is made of the action that is made of it, also with other commands in between")
  func circularByWayOfOthers() async throws {
    struct Leave: Command { typealias Output = Void }

    let engine = Engine()
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(on: IdentityAction.self) { _ in Leave() }
        .execute(on: SearchAction.self) { _ in Logout() }
        .with(model: engine)
    }
    try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
    try engine.use(Leave.self, sendingTo: cluster) { _ in SearchAction(words: "") }
    for (error, command) in [
      (await failure { try await engine.execute(Logout()).value }, ObjectIdentifier(Logout.self)),
      (await failure { try await cluster.send(action: IdentityAction.logout) }, ObjectIdentifier(Leave.self)),
    ] {
      let circular = try #require(error as? CircularCommandError)
      #expect(ObjectIdentifier(circular.command) == command)
    }
  }

  @Test("a task that a service leaves behind may execute the command again when it has been sent")
  func leftBehind() async throws {
    let engine = Engine()
    let journal = Log<IdentityAction>()
    let gate = Latch()
    let left = Lock<Task<Void, any Error>?>(nil)
    // What a session does: it begins with a login, and ends, much later, with a logout of its own.
    let session = try await Bootstrap {
      Store(model: Engine.self).execute(IdentityAction.self).with(model: engine)
    }
    let cluster = try await Bootstrap {
      Noting(journal: journal)
      EmptyService().observe(on: IdentityAction.self) { action in
        guard case .login = action else { return }
        let task = Task {
          await gate.wait()
          try await session.send(action: IdentityAction.logout)
        }
        left.withLock { $0 = task }
      }
    }
    try engine.use(IdentityAction.self, sendingTo: cluster)
    try await engine.execute(IdentityAction.login("Kim")).value
    gate.open()
    try await left.withLock { $0 }?.value
    #expect(journal.entries == [.login("Kim"), .logout])
  }

  @Test("one engine may hand a command on to another through a cluster")
  func delegation() async throws {
    let front = Engine()
    let back = Engine()
    let journal = Log<IdentityAction>()
    try back.use(IdentityAction.self, synchronously: { action, _ in journal.note(action) })
    let cluster = try await Bootstrap {
      Store(model: Engine.self).execute(IdentityAction.self).with(model: back)
    }
    try front.use(IdentityAction.self, sendingTo: cluster)
    try await front.execute(IdentityAction.logout).value
    #expect(journal.entries == [.logout])
  }

  @Test("many tasks in both directions: nothing is lost, and nothing is left when both are gone")
  func manyTasks() async throws {
    let sent = Log<IdentityAction>()
    let found = Log<ShelfAction>()
    weak var cluster: Cluster?
    weak var engine: Engine?
    do {
      let library = try Engine.library()
      let services = try await Bootstrap {
        Store(model: Engine.self)
          .execute(BookList.self) { ShelfAction.fill($0) }
          .with(model: library)
        Noting(journal: sent)
        Noting(journal: found)
      }
      try library.use(IdentityAction.self, sendingTo: services)
      (cluster, engine) = (services, library)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<500 {
              try await services.send(action: BookList())
              try await library.execute(IdentityAction.logout).value
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(sent.entries.count == 2_000)
    #expect(found.entries.count == 2_000)
    #expect(cluster == nil)
    #expect(engine == nil)
  }
}
