import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Publishing from handlers", .endsInTime)
struct PublishingTests {
  @Test("CMD-08: progress, then data or errors, repeatedly, reach the same reactions in order")
  func order() throws {
    let engine = Engine()
    try engine.use(
      Echo.self,
      synchronously: { command, publish in
        publish(.progress)
        publish(data: "cached")
        publish(error: Broken())
        publish(.progress)
        return command.text
      }
    )
    let (first, second) = (Log<String>(), Log<String>())
    let tokens = [first, second].map { journal in
      engine.events(of: Echo.self).subscribe { journal.note($0.text) }
    }
    engine.execute(Echo())
    let expected = ["progress", "data cached", #"error Broken(reason: "broken")"#, "progress", "data echo"]
    #expect(first.entries == expected)
    #expect(second.entries == expected)
    withExtendedLifetime(tokens) {}
  }

  @Test("CMD-08: an asynchronous handler publishes from other threads, and its last event comes last")
  func fromOtherThreads() async throws {
    let engine = Engine()
    try engine.use(Ping.self) { _, publish in
      await withTaskGroup { group in
        for number in 1...100 { group.addTask { publish(data: number) } }
      }
      return 0
    }
    let seen = Log<Int>()
    let token = engine.react(to: Ping.self, consume: seen.note)
    _ = await engine.execute(Ping()).wait()
    #expect(seen.entries.sorted() == Array(0...100))
    #expect(seen.entries.last == 0)
    withExtendedLifetime(token) {}
  }

  @Test("an error that is published ends nothing and is not reported to the error handler")
  func publishedError() throws {
    let engine = Engine()
    let errors = Log<any Error>()
    engine.errorHandler = errors.note
    try engine.use(
      Echo.self,
      synchronously: { command, publish in
        publish(error: Broken())
        return command.text
      }
    )
    #expect(engine.execute(Echo(), reaction: Reaction()).outcome?.output == "echo")
    #expect(errors.entries.isEmpty)
  }

  @Test("what is published after the handler returned is refused and reported")
  func tooLate() throws {
    let engine = Engine()
    let (errors, kept) = (Log<EngineError?>(), Log<Publisher<Echo>>())
    engine.errorHandler = { errors.note($0 as? EngineError) }
    try engine.use(
      Echo.self,
      synchronously: { command, publish in
        kept.note(publish)
        #expect(publish.isActive)
        return command.text
      }
    )
    let seen = Log<String>()
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    engine.execute(Echo())
    let publisher = try #require(kept.entries.first)
    #expect(!publisher.isActive)
    #expect(publisher(data: "late").isStopped)
    #expect(seen.entries == ["data echo"])
    #expect(errors.entries == [.publishedTooLate(Echo.self)])
    withExtendedLifetime(token) {}
  }

  @Test("nothing passes behind the last event, also when one thread publishes while the handler returns on another")
  func lastIsLast() async throws {
    for _ in 0..<rounds(20_000) {
      let engine = Engine()
      let kept = Lock<Publisher<Ping>?>(nil)
      try engine.use(
        Ping.self,
        synchronously: { _, publish in
          kept.withLock { $0 = publish }
          for _ in 0..<50 where publish.isActive {}
          return -1
        }
      )
      let seen = Log<Int>()
      let token = engine.react(to: Ping.self, consume: seen.note)
      await Threads.run(
        { engine.execute(Ping()) },
        {
          var publisher: Publisher<Ping>?
          while publisher == nil { publisher = kept.withLock { $0 } }
          var number = 0
          while let publisher, !publisher(data: number).isStopped { number += 1 }
        }
      )
      #expect(seen.entries.last == -1)
      #expect(seen.entries.dropLast().allSatisfy { $0 >= 0 })
      withExtendedLifetime(token) {}
    }
  }

  @Test("the engine of a publisher is the one that executes the command")
  func engine() throws {
    let engine = try Engine.answering()
    try engine.use(
      Add.self,
      synchronously: { command, publish in
        publish.engine.execute(Ping(number: command.left)).outcome?.output ?? 0
      }
    )
    #expect(engine.execute(Add(left: 7, right: 0)).outcome?.output == 7)
    #expect(engine.contains(Ping.self))
  }

  @Test("an event may be published without a command")
  func withoutCommand() {
    let engine = Engine()
    let seen = Log<String>()
    let token = engine.react(to: Echo.self, wait: { seen.note("wait") }, consume: seen.note)
    #expect(engine.publish(CommandEvent<Echo>.progress).isHandled)
    #expect(engine.publish(CommandEvent<Echo>.data("pushed")).isHandled)
    #expect(seen.entries == ["wait", "pushed"])
    withExtendedLifetime(token) {}
  }
}
