import CommandServices
import Commands
import Services
import Streams
import StreamsTesting
import Testing

@Suite("Both directions at once", .timeLimit(.minutes(2)))
struct BothDirectionsTests {
  private struct Count: Sendable {
    var value = 0
  }

  /// A store of a value that executes a command, whose handler sends back to the same store.
  private struct RoundTrip: Service {
    let engine: Engine
    let counts: Journal<Int>

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

  @Test("a mutation waits for a command whose handler sends to the same model: nobody waits for ever")
  func roundTrip() async throws {
    let engine = Engine()
    let counts = Journal<Int>()
    let cluster = try await Bootstrap { RoundTrip(engine: engine, counts: counts) }
    try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
    for round in 1...100 {
      try await cluster.send(action: SearchAction(words: ""))
      #expect(counts.entries.count == round)
    }
    #expect(counts.entries == Array(1...100))
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

  @Test("one engine may hand a command on to another through a cluster")
  func delegation() async throws {
    let front = Engine()
    let back = Engine()
    let journal = Journal<IdentityAction>()
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
    let sent = Journal<IdentityAction>()
    let found = Journal<ShelfAction>()
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
