import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Reactions", .endsInTime)
struct ReactionTests {
  @Test("REACT-01: progress, data and errors each go to their own closure")
  func closures() {
    let engine = Engine()
    let seen = Log<String>()
    let token = engine.react(
      to: Echo.self,
      wait: { seen.note("wait") },
      consume: { seen.note("consume \($0)") },
      rescue: { seen.note("rescue \($0)") }
    )
    engine.publish(CommandEvent<Echo>.progress)
    engine.publish(CommandEvent<Echo>.data("a"))
    engine.publish(CommandEvent<Echo>.error(Broken()))
    #expect(seen.entries == ["wait", "consume a", #"rescue Broken(reason: "broken")"#])
    withExtendedLifetime(token) {}
  }

  @Test("REACT-01: a missing closure is skipped")
  func missingClosures() {
    let engine = Engine()
    let seen = Log<String>()
    let tokens = [
      engine.react(to: Echo.self, wait: { seen.note("wait") }),
      engine.react(to: Echo.self, consume: { seen.note("consume \($0)") }),
      engine.react(to: Echo.self, rescue: { _ in seen.note("rescue") }),
      engine.react(to: Echo.self),
    ]
    engine.publish(CommandEvent<Echo>.error(Broken()))
    engine.publish(CommandEvent<Echo>.data("a"))
    engine.publish(CommandEvent<Echo>.progress)
    #expect(seen.entries == ["rescue", "consume a", "wait"])
    withExtendedLifetime(tokens) {}
  }

  @Test("REACT-02: all reactions are called in the order of registration, also after removals in the middle")
  func order() throws {
    let engine = try Engine.answering()
    let seen = Log<Int>()
    let tokens = (0..<1_000).map { number in engine.react(to: Echo.self, consume: { _ in seen.note(number) }) }
    for number in stride(from: 0, to: 1_000, by: 3) { tokens[number].cancel() }
    engine.execute(Echo())
    #expect(seen.entries == (0..<1_000).filter { !$0.isMultiple(of: 3) })
    withExtendedLifetime(tokens) {}
  }

  @Test("REACT-02: the reaction of an execution takes its turn by when it was registered, subscribers too")
  func orderOfOwnReaction() throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    let later = Lock<Subscription?>(nil)
    try engine.use(
      Echo.self,
      replacing: true,
      synchronously: { command, publish in
        let token = publish.engine.react(to: Echo.self, consume: { _ in seen.note("later") })
        later.withLock { $0 = token }
        return command.text
      }
    )
    let first = engine.react(to: Echo.self, consume: { _ in seen.note("first") })
    let second = engine.events(of: Echo.self).subscribe { _ in seen.note("second") }
    engine.execute(Echo(), reaction: Reaction(consume: { _ in seen.note("own") }))
    #expect(seen.entries == ["first", "second", "own", "later"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("the reaction of an execution hears of that execution only")
  func ownReaction() async throws {
    let engine = Engine()
    let gates = [Latch(), Latch()]
    try engine.use(Ping.self) { command, publish in
      publish(.progress)
      await gates[command.number].wait()
      return command.number
    }
    let seen = [Log<String>(), Log<String>()]
    let executions = (0..<2).map { number in
      engine.execute(
        Ping(number: number),
        reaction: Reaction(wait: { seen[number].note("wait") }, consume: { seen[number].note("\($0)") })
      )
    }
    gates[1].open()
    _ = await executions[1].wait()
    gates[0].open()
    _ = await executions[0].wait()
    #expect(seen[0].entries == ["wait", "0"])
    #expect(seen[1].entries == ["wait", "1"])
  }

  @Test("REACT-04: disposing a token removes that reaction and releases it; twice is harmless")
  func dispose() throws {
    let engine = try Engine.answering()
    let tracker = LifetimeTracker()
    let (first, second) = (Log<String>(), Log<String>())
    let token = engine.react(
      to: Echo.self,
      consume: { [object = tracker.make()] text in
        withExtendedLifetime(object) { first.note(text) }
      }
    )
    let other = engine.react(to: Echo.self, consume: second.note)
    engine.execute(Echo())
    token.cancel()
    token.cancel()
    #expect(tracker.liveCount == 0)
    engine.execute(Echo())
    #expect(first.entries == ["echo"])
    #expect(second.entries == ["echo", "echo"])
    withExtendedLifetime(other) {}
  }

  @Test("releasing the token disposes the reaction, unless it was detached")
  func releasing() throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    _ = engine.react(to: Echo.self, consume: { seen.note("released \($0)") })
    engine.react(to: Echo.self, consume: { seen.note("detached \($0)") }).detach()
    engine.execute(Echo())
    #expect(seen.entries == ["detached echo"])
  }

  @Test("a reaction registered in a reaction hears of the next event, not of the one of the moment")
  func registeredInside() throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    let bag = SubscriptionBag()
    let token = engine.react(
      to: Echo.self,
      consume: { text in
        engine.react(to: Echo.self, consume: { seen.note("inner \($0)") }).store(in: bag)
        seen.note("outer \(text)")
      }
    )
    engine.execute(Echo(text: "1"))
    token.cancel()
    engine.execute(Echo(text: "2"))
    #expect(seen.entries == ["outer 1", "inner 2"])
  }

  @Test("a reaction that a sibling disposes in the middle of a round is not called any more")
  func disposedBySibling() throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    let victim = Lock<Subscription?>(nil)
    let first = engine.react(to: Echo.self, consume: { _ in victim.withLock { $0 }?.cancel() })
    let second = engine.react(to: Echo.self, consume: seen.note)
    victim.withLock { $0 = second }
    engine.execute(Echo())
    #expect(seen.entries.isEmpty)
    withExtendedLifetime(first) {}
  }

  @Test("a hundred thousand reactions that each cause the next event use constant stack")
  func constantStack() throws {
    let engine = try Engine.answering()
    let count = Log<Int>()
    let token = engine.react(
      to: Ping.self,
      consume: { number in
        if number < 100_000 { engine.execute(Ping(number: number + 1)) } else { count.note(number) }
      }
    )
    engine.execute(Ping())
    #expect(count.entries == [100_000])
    withExtendedLifetime(token) {}
  }

  @Test("executing with a reaction ten times runs that reaction once each time")
  func executeWithReaction() throws {
    let engine = try Engine.answering()
    let seen = Log<Int>()
    for number in 0..<10 { engine.execute(Ping(number: number), reaction: Reaction(consume: seen.note)) }
    #expect(seen.entries == Array(0..<10))
    #expect(!engine.hasListeners(to: Ping.self))
  }
}
