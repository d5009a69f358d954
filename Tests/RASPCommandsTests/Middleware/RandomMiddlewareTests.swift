import RASPCommands
import Streams
import TestSupport
import Testing

/// What one middleware of a random program does.
private enum Step: CaseIterable, Sendable {
  /// Passes everything on, or something else.
  case pass, add
  /// Ends the way.
  case stop, fail, failOdd
  /// Goes on after the outcome: once more after a failure, once more in any case, silently, or as if all were well.
  case retry, twice, quiet, claim
}

/// The way through the middleware, as a plain loop would go it.
private enum Way: Equatable, Sendable {
  case handled, stopped, failed(String)

  init(_ outcome: Outcome<Void>) {
    switch outcome {
    case .handled: self = .handled
    case .stopped: self = .stopped
    case .failed(let error): self = .failed((error as? Broken)?.reason ?? "\(error)")
    }
  }
}

/// The middleware that makes a step, for commands and for events.
private struct Stepping<Input: Sendable>: Middleware {
  let step: Step
  let index: Int
  let journal: Log<String>
  let number: @Sendable (Input) -> Int
  let make: @Sendable (Int) -> Input
  var wait: (@Sendable (@escaping @Sendable () throws -> MiddlewareResult<Input>) -> MiddlewareResult<Input>)?

  func intercept(_ input: Input, next: Next<Input>) throws -> MiddlewareResult<Input> {
    if let wait { return wait { try self.go(input, next) } }
    return try go(input, next)
  }

  private func go(_ input: Input, _ next: Next<Input>) throws -> MiddlewareResult<Input> {
    let number = number(input)
    journal.note("\(index) in \(number)")
    switch step {
    case .pass: return after(next(input))
    case .add: return after(next(make(number + 1)))
    case .stop: return .stopped
    case .fail: throw Broken(reason: "\(index)")
    case .failOdd: return number % 2 == 0 ? after(next(input)) : .failed(Broken(reason: "\(index)"))
    case .retry:
      return after(next(input).then { $0.failure == nil ? MiddlewareResult($0) : next(make(number + 1)) })
    case .twice: return after(next(input).then { _ in next(make(number + 1)) })
    case .quiet: return after(next(input)).then { $0.failure == nil ? MiddlewareResult($0) : .stopped }
    case .claim: return after(next(input)).then { _ in MiddlewareResult(.handled) }
    }
  }

  private func after(_ result: MiddlewareResult<Input>) -> MiddlewareResult<Input> {
    result.then { outcome in
      journal.note("\(index) out \(Way(outcome))")
      return MiddlewareResult(outcome)
    }
  }
}

/// The same steps without an engine.
private struct Reference {
  let steps: [Step]
  var journal: [String] = []
  /// What stands at the end of the way.
  var end: (Int) -> Way

  mutating func go(_ number: Int, from index: Int = 0) -> Way {
    guard index < steps.count else { return end(number) }
    journal.append("\(index) in \(number)")
    var way: Way
    switch steps[index] {
    case .stop: return .stopped
    case .fail: return .failed("\(index)")
    case .failOdd where number % 2 != 0: return .failed("\(index)")
    case .add: way = go(number + 1, from: index + 1)
    default: way = go(number, from: index + 1)
    }
    if case .failed = way, steps[index] == .retry { way = go(number + 1, from: index + 1) }
    if steps[index] == .twice { way = go(number + 1, from: index + 1) }
    journal.append("\(index) out \(way)")
    if case .failed = way, steps[index] == .quiet { return .stopped }
    return steps[index] == .claim ? .handled : way
  }
}

@Suite("Random middleware", .endsInTime)
struct RandomMiddlewareTests {
  private static func steps(_ random: inout SplitMix) -> [Step] {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      // Most pass something on, so that the way is long.
      Bool.random(using: &random) ? .pass : Step.allCases.randomElement(using: &random) ?? .pass
    }
  }

  @Test("commands take the way through random middleware that a plain loop takes, with and without waiting")
  func commands() async throws {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let steps = Self.steps(&random)
      let failures = Int.random(in: 0...3, using: &random)
      let waits = Int.random(in: 0...2, using: &random)
      let (engine, journal, events, calls) = (Engine(), Log<String>(), Log<String>(), Counter())
      try engine.use(
        Ping.self,
        synchronously: { command, _ in
          calls.increment()
          if calls.value <= failures { throw Broken(reason: "handler") }
          return command.number
        }
      )
      let token = engine.events(of: Ping.self).subscribe { events.note($0.text) }
      for (index, step) in steps.enumerated() {
        var stage = Stepping<any Command>(
          step: step,
          index: index,
          journal: journal,
          number: { ($0 as? Ping)?.number ?? 0 },
          make: { Ping(number: $0) }
        )
        if Int.random(in: 0..<4, using: &random) < waits {
          stage.wait = { go in MiddlewareResult.waiting { try await go().outcome } }
        }
        engine.add(stage)
      }
      let outcome = await engine.execute(Ping(number: 1)).wait()

      var (attempts, output) = (0, Int?.none)
      var reference = Reference(steps: steps) { number in
        attempts += 1
        output = attempts <= failures ? nil : number
        return output == nil ? .failed("handler") : .handled
      }
      let way = reference.go(1)
      #expect(journal.entries == reference.journal, "seed \(seed): \(steps)")
      switch (way, output) {
      case (.handled, let output?):
        #expect(outcome.output == output && events.entries == ["data \(output)"], "seed \(seed): \(steps)")
      case (.handled, nil), (.stopped, _):
        #expect(outcome.isStopped && events.entries.isEmpty, "seed \(seed): \(steps)")
      case (.failed(let reason), _):
        let error = Broken(reason: reason)
        #expect(outcome.failure as? Broken == error && events.entries == ["error \(error)"], "seed \(seed): \(steps)")
      }
      withExtendedLifetime(token) {}
    }
  }

  @Test("events take the way through random middleware that a plain loop takes")
  func events() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let steps = Self.steps(&random)
      let (engine, journal, events) = (Engine(), Log<String>(), Log<String>())
      let token = engine.events(of: Ping.self).subscribe { events.note($0.text) }
      for (index, step) in steps.enumerated() {
        engine.add(
          Stepping<any AnyCommandEvent>(
            step: step,
            index: index,
            journal: journal,
            number: { ($0 as? CommandEvent<Ping>)?.output ?? 0 },
            make: { CommandEvent<Ping>.data($0) }
          )
        )
      }
      let outcome = engine.publish(CommandEvent<Ping>.data(1))

      var delivered: [String] = []
      var reference = Reference(steps: steps) { number in
        delivered.append("data \(number)")
        return .handled
      }
      // An event that was delivered counts as handled, unless the way fails.
      var way = reference.go(1)
      if case .failed(let reason) = way {
        delivered.append("error \(Broken(reason: reason))")
      } else {
        way = delivered.isEmpty ? .stopped : .handled
      }
      #expect(journal.entries == reference.journal, "seed \(seed): \(steps)")
      #expect(Way(outcome) == way && events.entries == delivered, "seed \(seed): \(steps)")
      withExtendedLifetime(token) {}
    }
  }
}
