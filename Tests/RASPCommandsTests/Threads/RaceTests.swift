import RASPCommands
import RASPTesting
import Streams
import Synchronization
import TestSupport
import Testing

@Suite("Commands from many threads", .endsInTime)
struct RaceTests {
  @Test("events of one type of command never overlap, none is lost, and all reactions see one sequence")
  func oneSequence() async throws {
    let engine = try Engine.answering()
    let (first, second) = (Log<Int>(), Log<Int>())
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let tokens = [
      engine.react(
        to: Ping.self,
        consume: { number in
          if inside.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue != 1 {
            overlaps.wrappingAdd(1, ordering: .relaxed)
          }
          first.note(number)
          inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        }
      ),
      engine.react(to: Ping.self, consume: second.note),
    ]
    await Threads.run(count: 4) { thread in
      for number in 0..<1_000 { engine.execute(Ping(number: thread * 1_000 + number)) }
    }
    // The rest of a lane may have been handed over.
    #expect(await eventually { second.count >= 4_000 })
    #expect(overlaps.load(ordering: .relaxed) == 0)
    #expect(first.entries == second.entries)
    #expect(first.entries.sorted() == Array(0..<4_000))
    for thread in 0..<4 {
      let own = first.entries.filter { $0 / 1_000 == thread }
      #expect(own == own.sorted())
    }
    withExtendedLifetime(tokens) {}
  }

  @Test("once a token's cancel has returned no new call of its reaction begins, and what it captured is released")
  func silence() async throws {
    for _ in 0..<rounds(20_000) {
      let engine = try Engine.answering()
      let tracker = LifetimeTracker()
      let cancelled = Atomic<Bool>(false)
      let begunAfterCancel = Atomic<Bool>(false)
      let token = engine.react(
        to: Ping.self,
        consume: { [object = tracker.make()] number in
          // A call that was under way may see the flag, so only calls of later commands count.
          if number == 1, cancelled.load(ordering: .acquiring) { begunAfterCancel.store(true, ordering: .relaxed) }
          _ = object
        }
      )
      await Threads.run(
        { for _ in 0..<5 { engine.execute(Ping(number: 0)) } },
        {
          token.cancel()
          cancelled.store(true, ordering: .releasing)
          engine.execute(Ping(number: 1))
        }
      )
      let wasCalled = begunAfterCancel.load(ordering: .relaxed)
      #expect(!wasCalled)
      #expect(tracker.liveCount == 0)
    }
  }

  @Test("invalidating races with everything: nothing is called afterwards, and nothing is kept")
  func invalidate() async throws {
    for _ in 0..<rounds(10_000) {
      let engine = try Engine.answering()
      let tracker = LifetimeTracker()
      let over = Atomic<Bool>(false)
      let calls = Atomic<Int>(0)
      await Threads.run(
        {
          for number in 0..<10 {
            engine.execute(Ping(number: number))
            engine.react(to: Ping.self, consume: { [object = tracker.make()] _ in _ = object }).detach()
          }
        },
        {
          for _ in 0..<10 {
            engine.react(
              to: Ping.self,
              consume: { [object = tracker.make()] _ in
                if over.load(ordering: .acquiring) { calls.wrappingAdd(1, ordering: .relaxed) }
                _ = object
              }
            ).detach()
          }
        },
        { engine.invalidate() }
      )
      engine.invalidate()
      over.store(true, ordering: .releasing)
      engine.publish(CommandEvent<Ping>.data(0))
      #expect(calls.load(ordering: .relaxed) == 0)
      #expect(tracker.liveCount == 0)
    }
  }

  @Test("an owner that goes away while its reactions are called is released, on whatever thread")
  func ownerRace() async throws {
    final class Screen: Sendable {
      let engine: Engine
      let tracker: LifetimeTracker.Object
      init(_ engine: Engine, _ tracker: LifetimeTracker) {
        self.engine = engine
        self.tracker = tracker.make()
      }
      deinit { engine.disposeAll(for: self) }
    }
    let engine = try Engine.answering()
    let tracker = LifetimeTracker()
    for _ in 0..<rounds(20_000) {
      let slot = Lock<Screen?>(Screen(engine, tracker))
      if let screen = slot.withLock({ $0 }) { engine.react(to: Ping.self, owner: screen, consume: { _, _ in }) }
      await Threads.run(
        { for number in 0..<3 { engine.execute(Ping(number: number)) } },
        { slot.exchange(with: nil) }
      )
    }
    #expect(tracker.liveCount == 0)
    #expect(engine.ownedReactionCount == 0)
    #expect(!engine.hasListeners(to: Ping.self))
  }

  @Test("one handler for a type, however many threads register one at the same moment")
  func oneHandler() async throws {
    for _ in 0..<rounds(5_000) {
      let engine = Engine()
      let accepted = Atomic<Int>(0)
      await Threads.run(count: 4) { thread in
        if (try? engine.use(Ping.self, synchronously: { _, _ in thread })) != nil {
          accepted.wrappingAdd(1, ordering: .relaxed)
        }
      }
      #expect(accepted.load(ordering: .relaxed) == 1)
    }
  }

  @Test("handlers come and go on many threads: a token takes out its own only, and none is left behind")
  func handlersComeAndGo() async throws {
    let engine = Engine()
    let tracker = LifetimeTracker()
    await Threads.run(count: 4) { thread in
      for round in 0..<rounds(10_000) {
        let token = try? engine.use(
          Ping.self,
          replacing: round.isMultiple(of: 3),
          synchronously: { [object = tracker.make()] _, _ in
            _ = object
            return thread
          }
        )
        engine.execute(Ping())
        token?.cancel()
      }
    }
    #expect(!engine.contains(Ping.self))
    // The rest of a lane may have been handed over.
    #expect(await eventually { tracker.liveCount == 0 })
  }

  @Test("THR-05: no internal lock is held over user code: a reaction may wait for a lock that a sender holds")
  func foreignLock() async throws {
    for _ in 0..<rounds(2_000) {
      let engine = try Engine.answering()
      let foreign = Mutex(0)
      let token = engine.react(to: Ping.self, consume: { number in foreign.withLock { $0 += number } })
      await Threads.run(
        { for _ in 0..<20 { engine.execute(Ping(number: 1)) } },
        {
          for _ in 0..<20 {
            let disposed = engine.react(to: Ping.self, consume: { _ in })
            // Holds the foreign lock and calls into the engine, while the other thread may be in the reaction.
            // Cancelling never delivers on behalf of others, so it is safe under a lock that reactions take.
            foreign.withLock { _ in
              disposed.cancel()
              _ = engine.contains(Ping.self)
              engine.publish(CommandEvent<Echo>.progress)
            }
          }
        }
      )
      #expect(foreign.withLock { $0 } == 20)
      withExtendedLifetime(token) {}
    }
  }

  @Test("many tasks execute, await, cancel and are cancelled, and every execution ends")
  func tasks() async throws {
    let engine = Engine()
    try engine.use(Ping.self) { command, publish in
      publish(.progress)
      await Task.yield()
      if command.number.isMultiple(of: 7) { throw Broken() }
      return command.number
    }
    let seen = Atomic<Int>(0)
    let token = engine.events(of: Ping.self).subscribe { event in
      if !event.isProgress { seen.wrappingAdd(1, ordering: .relaxed) }
    }
    let count = rounds(20_000)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<count {
        group.addTask {
          let execution = engine.execute(Ping(number: number))
          switch number % 3 {
          case 0:
            return (try? await execution.value) == number || number.isMultiple(of: 7)
          case 1:
            execution.cancel()
            return await execution.wait().output.map { $0 == number } ?? true
          default:
            let task = Task { await execution.wait() }
            task.cancel()
            return await task.value.output.map { $0 == number } ?? true
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    // One last event for each, and all have been awaited.
    #expect(seen.load(ordering: .relaxed) == count)
    withExtendedLifetime(token) {}
  }

  @Test("a slow reaction does not hold up events of other commands on other threads")
  func slowReaction() async throws {
    let engine = try Engine.answering()
    let gate = Gate(patience: longestWait)
    let tokens = [engine.react(to: Echo.self, consume: { _ in gate.hold() })]
    let seen = Log<Int>()
    let ping = engine.react(to: Ping.self, consume: seen.note)
    await Threads.run(
      { engine.execute(Echo()) },
      {
        gate.waitUntilHeld()
        // The reaction to `Echo` is running. Nothing else waits for it.
        engine.execute(Ping(number: 1))
        engine.post(Login(name: "kim"))
        engine.react(to: Echo.self, consume: { _ in }).cancel()
        engine.execute(Echo(text: "in line"))
        #expect(seen.entries == [1])
        gate.open()
      }
    )
    withExtendedLifetime((tokens, ping)) {}
  }

  @Test("every table may be read and changed from many threads at once")
  func tables() async throws {
    let engine = try Engine.answering()
    let screen = Log<Int>()
    await Threads.run(count: 4) { thread in
      for round in 0..<rounds(5_000) {
        _ = try? engine.use(Add.self, replacing: true, synchronously: { command, _ in command.left })
        _ = engine.contains(Echo.self)
        let token = engine.react(to: Ping.self, consume: { _ in })
        engine.react(to: Echo.self, owner: screen, consume: { screen, _ in screen.note(thread) })
        engine.execute(Ping(number: round), reaction: Reaction())
        engine.execute(Echo())
        engine.add(ClosureMiddleware<any AnyCommandEvent>.abort { _ in false }).cancel()
        engine.add(ClosureMiddleware<any Command>.abort { _ in false }).cancel()
        engine.errorHandler = { _ in }
        engine.disposeAll(for: screen)
        token.cancel()
        engine.post(Login(name: "kim"))
        if round.isMultiple(of: 100) { engine.invalidate() }
      }
    }
    engine.invalidate()
    #expect(await eventually { engine.ownedReactionCount == 0 })
  }
}
