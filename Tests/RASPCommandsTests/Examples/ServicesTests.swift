import RASPCommands
import RASPHistory
import RASPServices
import RASPSupport
import Streams
import TestSupport
import Testing

private struct BookList: Command {
  typealias Output = [String]
}

private struct BookSearch: Command {
  typealias Output = [String]
  var words: String
}

private struct Logout: Command {
  typealias Output = Void
}

private struct SearchAction: Action {
  var words: String
}

private enum ShelfAction: Action {
  case fill([String])
}

private enum IdentityAction: Action {
  case logout
}

@Suite("An engine beside a cluster", .endsInTime)
struct ServicesTests {
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
    try engine.use(Logout.self) { [send = cluster.weakSend] _, _ in try await send(IdentityAction.logout) }
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

  @Test("a command may shut down the cluster that executes it")
  func fromInside() async throws {
    let engine = Engine()
    let ended = Log<String>()
    let cluster = try await Bootstrap {
      On(SearchAction.self) { _, _ in _ = try await engine.value(of: BookList()) }
      EmptyService().teardown { ended.note("teardown") }
    }
    try engine.use(BookList.self) { [weak cluster] _, _ in
      await cluster?.shutdown()
      ended.note("handled")
      return []
    }
    try await cluster.send(action: SearchAction(words: ""))
    await cluster.shutdown()
    #expect(ended.entries == ["handled", "teardown"])
  }

  private let engine = Engine()
  private let clock = TapeClock(.suspending)

  @Test("an action that a handler sends is caused by its execution")
  func commandsAsActions() async throws {
    let cluster = try await Bootstrap { EmptyService().pre(action: IdentityAction.self) { _ in } }
    let (commands, actions) = (
      engine.record(as: "e", last: 9, clock: clock), cluster.record(as: "c", last: 9, clock: clock)
    )
    try engine.use(Logout.self) { [send = cluster.weakSend] _, _ in try await send(IdentityAction.logout) }
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
    let shelf = Log<[String]>()
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .mutate(on: SearchAction.self) { engine, action, send in
          try await send(ShelfAction.fill(engine.value(of: BookSearch(words: action.words))))
        }
        .with(model: engine)
      On(ShelfAction.self) { action, _ in
        if case .fill(let titles) = action { shelf.note(titles) }
      }
    }
    let (commands, actions) = (
      engine.record(as: "e", last: 9, clock: clock), cluster.record(as: "c", last: 9, clock: clock)
    )
    let cause = Cause(lane: 1 << 24 - 1, number: 3)
    try await cause.perform { try await cluster.send(action: SearchAction(words: "time")) }
    let search = Cause(lane: actions.lane, number: 1)
    #expect(actions.occurrences.map(\.cause) == [cause, search])
    #expect(commands.occurrences.map(\.cause) == [search, Cause(lane: commands.lane, number: 1)])
    #expect(shelf.entries == [["time"]])
    engine.endRecording(onto: commands)
    cluster.endRecording(onto: actions)
    await cluster.shutdown()
  }
}
