import RASPCommandServices
import RASPCommands
import RASPServices
import RASPSupport
import Streams
import TestSupport
import Testing

@Suite("Causes across engine and cluster", .endsInTime)
struct CausesTests {
  private let engine = Engine()
  private let clock = TapeClock(.suspending)

  @Test("an action that is made of a command is caused by its execution")
  func commandsAsActions() async throws {
    let cluster = try await Bootstrap { EmptyService().pre(action: IdentityAction.self) { _ in } }
    let (commands, actions) = (
      engine.record(as: "e", last: 9, clock: clock), cluster.record(as: "c", last: 9, clock: clock)
    )
    try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
    _ = try await engine.execute(Logout()).value
    #expect(commands.occurrences.map(\.kind) == [.execution, .event])
    #expect(actions.occurrences.map(\.cause) == [Cause(lane: commands.lane, number: 1)])
    engine.endRecording(onto: commands)
    cluster.endRecording(onto: actions)
    await cluster.shutdown()
  }

  @Test("the execution of an action is caused by the action, and so is the action that is made of its result")
  func actionsAsCommands() async throws {
    try engine.use(BookSearch.self) { command, _ in
      await Task.yield()
      return [command.words]
    }
    let shelf = Log<ShelfAction>()
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(on: SearchAction.self) {
          BookSearch(words: $0.words)
        } then: {
          ShelfAction.fill($0)
        }
        .with(model: engine)
      Noting(journal: shelf)
    }
    let (commands, actions) = (
      engine.record(as: "e", last: 9, clock: clock), cluster.record(as: "c", last: 9, clock: clock)
    )
    let cause = Cause(lane: 1 << 24 - 1, number: 3)
    try await cause.perform { try await cluster.send(action: SearchAction(words: "time")) }
    let search = Cause(lane: actions.lane, number: 1)
    #expect(actions.occurrences.map(\.cause) == [cause, search])
    #expect(commands.occurrences.map(\.cause) == [search, Cause(lane: commands.lane, number: 1)])
    #expect(shelf.entries == [.fill(["time"])])
    engine.endRecording(onto: commands)
    cluster.endRecording(onto: actions)
    await cluster.shutdown()
  }
}
