import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

#if DEBUG
  @Suite("Reports that nothing has subscribed to", .serialized)
  struct UnheardReportTests {
    /// A text names the type of the state, so the state is one that only this file has.
    private struct Unheard: AggregateState {
      struct Negative: Error {}

      mutating func apply(_ event: Int) throws(Negative) {
        if event < 0 { throw Negative() }
      }
    }

    /// What was written of aggregators that this file has made.
    private func written(while body: () async -> Void) async throws -> [String] {
      try await UnheardTexts.written(containing: "`Unheard`") { _ in await body() }
    }

    @Test("AGG-32: a refused event is written once, with the remedy and the type of the state")
    func refusal() async throws {
      let texts = try await written {
        let account = Aggregator(initial: Unheard())
        account.send(-1)
        account.send(-2)
      }
      #expect(texts.count == 1)
      #expect(texts.first?.contains("the aggregator of `Unheard`") == true)
      #expect(texts.first?.contains("submit") == true)
      #expect(texts.first?.contains("Negative") == true)
    }

    @Test("AGG-32: a subscriber turns it off, and so does a sender that gets the answer")
    func heard() async throws {
      let texts = try await written {
        let account = Aggregator(initial: Unheard())
        _ = try? await account.submit(-1)
        let rejections = Recorder(account.rejections)
        account.send(-2)
        #expect(rejections.values.count == 1)
      }
      #expect(texts.isEmpty)
    }

    /// Each has a state of its own, because the report is written once for each type of state.
    private enum Released {
      struct Forgotten: AggregateState { mutating func apply(_ event: Int) {} }
      struct Together: AggregateState { mutating func apply(_ event: Int) {} }
      struct Finished: AggregateState { mutating func apply(_ event: Int) {} }
      struct Alone: AggregateState { mutating func apply(_ event: Int) {} }
      struct Left: AggregateState { mutating func apply(_ event: Int) {} }
    }

    private final class Model<State: AggregateState>: Sendable {
      // The order in which a model releases what it has.
      let aggregator: Aggregator<State>
      let token: Subscription

      init(_ initial: State) {
        aggregator = Aggregator(initial: initial)
        token = aggregator.states.subscribe { _ in }
      }
    }

    @Test("AGG-12: an aggregator that is released while subscribers are kept is written once for its type of state")
    func released() async throws {
      let bag = SubscriptionBag()
      let texts = try await UnheardTexts.written(containing: "RASP, the aggregator of `") { texts in
        // These go first, so they would be written first.
        do {
          _ = Model(Released.Together())
          _ = Aggregator(initial: Released.Alone())
          let finished = Aggregator(initial: Released.Finished())
          finished.states.subscribe { _ in }.store(in: bag)
          finished.finish()
          let left = Aggregator(initial: Released.Left())
          left.states.subscribe { _ in }.cancel()
        }
        for _ in 0..<3 {
          let forgotten = Aggregator(initial: Released.Forgotten())
          forgotten.states.subscribe { _ in }.store(in: bag)
          forgotten.select(\.self).map { $0 }.subscribe { _ in }.store(in: bag)
        }
        #expect(await eventually { texts().contains { $0.contains("Forgotten") } })
      }
      let released = texts.filter { $0.contains("was released") }
      #expect(released.filter { $0.contains("`Forgotten`") }.count == 1)
      #expect(released.first { $0.contains("`Forgotten`") }?.contains("2 of its subscribers are still kept") == true)
      for name in ["Together", "Alone", "Finished", "Left"] { #expect(!released.contains { $0.contains(name) }) }
      withExtendedLifetime(bag) {}
    }

    @Test("AGG-32: a source that fails while its aggregator is made is written afterwards")
    func failingSource() async throws {
      let failing = Subject<Int, TestError>()
      failing.fail(TestError(code: 7))
      let texts = try await UnheardTexts.written(containing: "`Unheard`") { texts in
        let journal = Aggregator(initial: Unheard(), sources: failing.observable)
        let heard = Aggregator(initial: Unheard(), sources: failing.observable)
        let failures = Recorder(heard.sourceFailures)
        #expect(await eventually { !texts().isEmpty })
        #expect(failures.values.count == 1)
        withExtendedLifetime((journal, heard)) {}
      }

      #expect(texts.count == 1)
      #expect(texts.first?.contains("retry") == true)
    }
  }
#endif
