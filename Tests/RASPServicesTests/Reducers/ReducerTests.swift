import RASPServices
import Streams
import TestSupport
import Testing

private struct Account: Sendable, Equatable {
  var actions: [AccountAction] = []
}

/// Not `Equatable`.
private struct Opaque: Sendable {
  var count = 0
}

@Suite("Reducers", .endsInTime)
struct ReducerTests {
  @Test("an action changes the state, and then the side effect runs with the context and a way to send")
  func effect() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Reducer(state: Account(), context: log) { (state: inout Account, action: AccountAction) in
        state.actions.append(action)
        guard action == .login else { return nil }
        return { [state] dispatch, context in
          context.note("effect \(state.actions.count)")
          try await dispatch(AccountAction.logout)
          context.note("effect done")
        }
      }
      .watch(Account.self) { log.note("state \($0.actions.count)") }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["state 0", "state 1", "effect 1", "state 2", "effect done"])
  }

  @Test("a side effect that throws makes send throw, and the state stays changed")
  func throwingEffect() async throws {
    let log = Log<Int>()
    let cluster = try await Bootstrap {
      Reducer(state: 0) { (state: inout Int, action: AccountAction) in
        state += 1
        return { _, _ in throw Broken.first }
      }
      .watch(Int.self) { log.note($0) }
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(log.entries == [0, 1])
  }

  @Test("a reducer may do without a state, without a context, and without both")
  func conveniences() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Reducer(context: log) { (_: inout Void, action: AccountAction) in { _, log in log.note("\(action)") } }
        Reducer(state: Opaque()) { (state: inout Opaque, action: AccountAction) in
          state.count += 1
          return { [state] _, _ in log.note("\(state.count)") }
        }
        Reducer(context: ()) { (_: inout Void, _: AccountAction) in { _, _ in log.note("neither") } }
      }
      .serial()
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["login", "1", "neither"])
  }

  @Test("each place has a state of its own, though the value is one")
  func ownState() async throws {
    let log = Log<Int>()
    let reducer = Reducer(state: 0) { (state: inout Int, _: AccountAction) in
      state += 1
      return { [state] _, _ in log.note(state) }
    }
    let first = try await Bootstrap {
      reducer
      reducer
    }
    let second = try await Bootstrap { reducer }
    try await first.send(action: AccountAction.login)
    try await second.send(action: AccountAction.login)
    #expect(log.entries == [1, 1, 1])
  }

  @Test("a watcher of an Equatable state hears of changes only, one of any other of every action")
  func watchers() async throws {
    let (log, all) = (Log<Int>(), Log<Int>())
    let cluster = try await Bootstrap {
      Group {
        Reducer(state: 0) { (state: inout Int, action: AccountAction) in
          if action == .login { state += 1 }
          return nil
        }
        Reducer(state: Opaque()) { (state: inout Opaque, action: AccountAction) in
          if action == .login { state.count += 1 }
          return nil
        }
      }
      .watch(Int.self) { log.note($0) }
      .watch(Opaque.self) { all.note($0.count) }
    }
    for action in [AccountAction.logout, .login, .logout, .logout, .login] {
      try await cluster.send(action: action)
    }
    #expect(log.entries == [0, 1, 2])
    #expect(all.entries == [0, 0, 1, 1, 1, 2])
  }

  @Test("watchers above and below are all called, the outermost first, and send waits for them")
  func severalWatchers() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Reducer(state: 0) { (state: inout Int, _: AccountAction) in
          state += 1
          return nil
        }
        .watch(Int.self) { @MainActor state in
          MainActor.assertIsolated()
          log.note("inner \(state)")
        }
      }
      .watch(Int.self) { state in
        for _ in 0..<10 { await Task.yield() }
        log.note("outer \(state)")
      }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["outer 0", "inner 0", "outer 1", "inner 1"])
  }

  @Test("watchers see every snapshot once and in order, one call at a time, whichever thread sends")
  func orderOfSnapshots() async throws {
    let log = Log<Int>()
    let busy = Lock(0)
    let cluster = try await Bootstrap {
      Reducer(state: 0) { (state: inout Int, _: AccountAction) in
        state += 1
        return nil
      }
      .watch(Int.self) { state in
        let others = busy.withLock { busy in
          defer { busy += 1 }
          return busy
        }
        #expect(others == 0)
        await Task.yield()
        log.note(state)
        busy.withLock { $0 -= 1 }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<1000 {
        group.addTask {
          let sending = Task { try await cluster.send(action: AccountAction.login) }
          if index.isMultiple(of: 7) { sending.cancel() }
          _ = await sending.result
        }
      }
    }
    #expect(log.entries == Array(0..<log.count))
    #expect(log.count >= 800)
  }

  @Test("what a watcher sends to its own reducer comes after, without a deadlock")
  func sendingWatcher() async throws {
    struct Counting: Service {
      @Environment(\.send) private var send
      let log: Log<Int>

      var body: some Service {
        Reducer(state: 0) { (state: inout Int, _: AccountAction) in
          state += 1
          return nil
        }
        .watch(Int.self) { state in
          log.note(state)
          if state < 100 { try? await send(AccountAction.login) }
        }
      }
    }
    let log = Log<Int>()
    let cluster = try await Bootstrap { Counting(log: log) }
    // The state to begin with has set it off.
    #expect(log.entries == Array(0...100))
    try await cluster.send(action: AccountAction.login)
    #expect(log.count == 102)
  }

  @Test("what a watcher sends at the first state reaches reducers whose watchers have not been told yet")
  func sendingWatcherOfOneOfTwo() async throws {
    struct Two: Service {
      @Environment(\.send) private var send
      let log: Log<Int>

      var body: some Service {
        Group {
          Reducer(state: Numbers()) { (state: inout Numbers, _: ArticleAction) in
            state.values.append(0)
            return nil
          }
          .watch(Numbers.self) { if $0.values.isEmpty { try? await send(AccountAction.login) } }
          Reducer(state: 0) { (state: inout Int, _: AccountAction) in
            state += 1
            return nil
          }
        }
        .watch(Int.self) { log.note($0) }
      }
    }
    let log = Log<Int>()
    let cluster = try await Bootstrap { Two(log: log) }
    #expect(log.entries == [0, 1])
    withExtendedLifetime(cluster) {}
  }

  @Test("watchers are not called when nothing has changed, and get the snapshot of their action")
  func watchersAndSnapshots() async throws {
    struct Pair: Sendable, Equatable {
      var left = 0
      var right = 0
    }
    let log = Log<Pair>()
    let cluster = try await Bootstrap {
      Reducer(state: Pair()) { (state: inout Pair, action: ArticleAction) in
        if case .loaded(let number) = action {
          state.left = number
          state.right = number
        }
        return nil
      }
      .watch(Pair.self) { log.note($0) }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 1...200 {
        group.addTask { try? await cluster.send(action: ArticleAction.load) }
        group.addTask { try? await cluster.send(action: ArticleAction.loaded(number)) }
      }
    }
    #expect(log.count == 201)
    #expect(log.entries.allSatisfy { $0.left == $0.right })
    #expect(Set(log.entries.map(\.left)).count == 201)
  }
}
