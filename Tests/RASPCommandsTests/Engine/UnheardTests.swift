import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

#if DEBUG
  /// Commands that only this file has, because a text names the type of the command.
  private struct UnheardUnhandled: Command { typealias Output = Int }
  private struct UnheardFailing: Command { typealias Output = Int }
  private struct UnheardLate: Command { typealias Output = Int }
  private struct UnheardSlow: Command {
    typealias Output = Int
    static let timeLimit: Duration? = .seconds(1)
  }
  private struct UnheardNobody: Fact {}

  @Suite("CMD-17: An engine without an error handler", .endsInTime)
  struct UnheardTests {
    private func publishLate(_ engine: Engine) throws {
      let publisher = Box<Publisher<UnheardLate>>()
      try engine.use(
        UnheardLate.self,
        replacing: true,
        synchronously: { _, publish in
          publisher.value = publish
          return 1
        }
      )
      engine.execute(UnheardLate())
      publisher.value?(data: 2)
    }

    @Test("a missing handler, an error that nobody awaits, and an event too late are written, each once")
    func written() async throws {
      let texts = try await UnheardTexts.written(containing: "Unheard") { texts in
        let engine = Engine()
        try engine.use(UnheardFailing.self, synchronously: { _, _ in throw Broken() })
        for _ in 0..<3 {
          engine.execute(UnheardUnhandled())
          engine.execute(UnheardFailing())
          engine.post(UnheardNobody())
          try publishLate(engine)
        }
        #expect(await eventually { texts().count == 3 })
      }
      #expect(texts.count == 3)
      #expect(texts.contains { $0.contains("UnheardUnhandled was executed, but no handler is registered for it") })
      #expect(texts.contains { $0.contains("UnheardFailing has failed: Broken(reason: \"broken\")") })
      #expect(texts.contains { $0.contains("UnheardLate published after it had returned") })
      #expect(texts.allSatisfy { $0.contains("No `errorHandler` gets this") && $0.contains("Written once") })
    }

    @Test("what a handler of errors gets, a reaction rescues, or a task awaits is not written; the next one is")
    func heard() async throws {
      let texts = try await UnheardTexts.written(containing: "Unheard") { texts in
        let engine = Engine()
        let rescued = Counter()
        try engine.use(UnheardFailing.self) { _, _ in
          await Task.yield()
          throw Broken()
        }
        _ = try? await engine.value(of: UnheardFailing())
        _ = try? await engine.value(of: UnheardUnhandled())
        _ = try? await engine.execute(UnheardFailing()).value
        let tokens = [
          engine.react(to: UnheardFailing.self, rescue: { _ in rescued.increment() }),
          engine.react(to: UnheardFailing.self, consume: { _ in }),
        ]
        _ = await engine.execute(UnheardFailing()).wait()
        engine.execute(UnheardFailing())
        engine.execute(UnheardFailing(), reaction: Reaction(rescue: { _ in rescued.increment() }))
        #expect(await eventually { rescued.value == 4 })
        engine.errorHandler = { _ in rescued.increment() }
        engine.execute(UnheardUnhandled())
        #expect(rescued.value == 5)
        engine.errorHandler = nil
        for token in tokens { token.cancel() }
        #expect(texts().isEmpty)
        engine.react(to: UnheardFailing.self, owner: rescued, consume: { _, _ in })
        // The first look at an error that is awaited may still be on its way, and counts as the one of its kind.
        #expect(
          await eventually {
            engine.execute(UnheardFailing())
            return !texts().isEmpty
          }
        )
      }
      #expect(texts.count == 1)
      #expect(texts.first?.contains("UnheardFailing has failed") == true)
    }

    @Test("a command that takes too long is written")
    func tooLong() async throws {
      let time = VirtualScheduler()
      let texts = try await UnheardTexts.written(containing: "Unheard") { texts in
        let engine = Engine(scheduler: time)
        try engine.use(UnheardSlow.self) { _, _ in
          for await _ in AsyncStream(Never.self, { _ in }) {}
          return 1
        }
        engine.execute(UnheardSlow())
        time.advance(by: .seconds(1))
        #expect(await eventually { texts().count == 1 })
      }
      #expect(texts.contains { $0.contains("took longer than its time limit") })
    }
  }
#endif
