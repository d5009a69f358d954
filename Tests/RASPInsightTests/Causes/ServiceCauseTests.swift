import Aggregate
import RASPInsight
import RASPServices
import RASPSupport
import RASPTesting
import Streams
import TestSupport
import Testing

private enum Step: Action, Equatable {
  case first(String)
  case second(String)
}

private struct Noted: Action {
  let word: String
}

private struct Model: Sendable {
  var words: [String] = []
}

extension OccurrenceTape {
  fileprivate func occurrence(_ step: Step) -> Occurrence? { occurrences.first { $0.subject as? Step == step } }

  fileprivate func identity(_ step: Step) -> Cause? { occurrence(step).map { Cause(lane: lane, number: $0.number) } }
}

extension Cluster {
  fileprivate func recorded() -> OccurrenceTape { record(as: "cluster", last: 100, clock: TapeClock(.suspending)) }
}

@Suite struct ServiceCauseTests {
  @Test func anActionThatAHandlerSendsIsCausedByItsAction() async throws {
    let target = Traced()
    let cluster = try await Bootstrap {
      On(Step.self) { step, send in
        if case .first(let word) = step {
          await Task.yield()
          try await send(Step.second(word))
        }
      }
      On(Step.self) { step, _ in
        if case .second(let word) = step { target.send(word) }
      }
    }
    let tape = cluster.recorded()
    defer { cluster.endRecording(onto: tape) }
    await elsewhere.perform { try? await cluster.send(action: Step.first("a")) }
    try await cluster.send(action: Step.first("b"))
    #expect(tape.occurrence(.first("a"))?.cause == elsewhere)
    #expect(tape.occurrence(.first("b"))?.cause == .unknown)
    #expect(tape.occurrence(.second("a"))?.cause == tape.identity(.first("a")))
    #expect(tape.occurrence(.second("b"))?.cause == tape.identity(.first("b")))
    #expect(target.causes["a"] == tape.identity(.second("a")))
    #expect(target.causes["b"] == tape.identity(.second("b")))
    #expect(tape.occurrences.allSatisfy { $0.kind == .action && $0.end != nil })
    await cluster.shutdown()
  }

  @Test func aPostponedActionIsCausedByTheMutationThatSentIt() async throws {
    let target = Traced()
    let cluster = try await Bootstrap {
      Store(model: Model.self)
        .mutate(on: Step.self) { model, step, send in
          switch step {
          case .first(let word):
            try await send(Step.second(word))
            model.words.append(word)
          case .second(let word): target.send(word)
          }
        }
        .with(model: Model())
    }
    let tape = cluster.recorded()
    defer { cluster.endRecording(onto: tape) }
    try await cluster.send(action: Step.first("a"))
    #expect(tape.occurrence(.second("a"))?.cause == tape.identity(.first("a")))
    #expect(target.causes["a"] == tape.identity(.second("a")))
    await cluster.shutdown()
  }

  @Test func theEffectOfAReducerAndItsWatcherAreCausedByTheAction() async throws {
    let target = Traced()
    let cluster = try await Bootstrap {
      Reducer(state: [String](), context: target) { (state: inout [String], action: Noted) in
        state.append(action.word)
        return { _, context in
          await Task.yield()
          context.send("effect of \(action.word)")
        }
      }
      .watch([String].self) { state in if let last = state.last { target.send("watched \(last)") } }
    }
    let tape = cluster.recorded()
    defer { cluster.endRecording(onto: tape) }
    try await cluster.send(action: Noted(word: "a"))
    let identity = Cause(lane: tape.lane, number: 1)
    #expect(target.causes == ["effect of a": identity, "watched a": identity])
    await cluster.shutdown()
  }

  @Test func anEmittedActionHasTheCauseOfTheValue() async throws {
    let (source, target) = (Traced(), Traced())
    let (stream, continuation) = AsyncStream<Step>.makeStream()
    let words = Subject<Step, Never>()
    let token = source.aggregator.events.subscribe { words.send(.first($0)) }
    let cluster = try await elsewhere.perform {
      try await Bootstrap {
        On(Step.self) { step, _ in
          switch step {
          case .first(let word), .second(let word): target.send(word)
          }
        }
        .emit(using: words.observable)
        .emit(using: stream)
      }
    }
    let tape = cluster.recorded()
    defer { cluster.endRecording(onto: tape) }
    source.send("pushed")
    continuation.yield(.second("pulled"))
    #expect(await eventually { target.causes.count == 2 })
    #expect(tape.occurrence(.first("pushed"))?.cause == source.identity("pushed"))
    #expect(tape.occurrence(.second("pulled"))?.cause == .unknown)
    #expect(target.causes["pushed"] == tape.identity(.first("pushed")))
    token.cancel()
    await cluster.shutdown()
  }

  @Test func theEndOfATimeLimitIsCausedByTheActionThatHasIt() async throws {
    let (target, time, hasBegun) = (Traced(), VirtualScheduler(), Flag())
    let cluster = try await Bootstrap {
      On(Noted.self) { _, _ in
        try await withTaskCancellationHandler {
          hasBegun.raise()
          try await Task.sleep(for: .seconds(1_000))
        } onCancel: {
          target.send("cancelled")
        }
      }
      .timeLimit(.seconds(1), on: time)
    }
    let tape = cluster.recorded()
    defer { cluster.endRecording(onto: tape) }
    async let sending: Void? = try? cluster.send(action: Noted(word: "slow"))
    #expect(await eventually { hasBegun.isRaised && !time.pending.isEmpty })
    elsewhere.perform { time.advance(by: .seconds(2)) }
    _ = await sending
    #expect(target.causes["cancelled"] == tape.occurrences.first.map { Cause(lane: tape.lane, number: $0.number) })
    await cluster.shutdown()
  }

  @Test func aClusterThatIsNotRecordedPassesTheCauseOn() async throws {
    let target = Traced()
    let cluster = try await Bootstrap {
      On(Step.self) { step, send in
        switch step {
        case .first(let word): try await send(Step.second(word))
        case .second(let word): target.send(word)
        }
      }
    }
    await elsewhere.perform { try? await cluster.send(action: Step.first("a")) }
    try await cluster.send(action: Step.first("b"))
    #expect(target.causes == ["a": elsewhere, "b": .unknown])
    await cluster.shutdown()
  }
}
