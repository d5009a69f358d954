import RASPCommands
import RASPCommandsTesting
import RASPTesting
import TestSupport
import Testing

@Suite("given a handler, or an engine", .endsInTime)
struct GivenCommandTests {
  private let ferry = given(CrossHandler())

  @Test("the output, after what the handler published")
  func output() async {
    await ferry.when(Cross(passengers: ["Ann", "Bea"])).then(["Ann", "Bea"], after: .progress, .data(["Ann"]))
    await ferry.when(Cross(passengers: [])).then([], after: .progress, .data([]))
  }

  @Test("a failure, after what the handler published")
  func failure() async {
    await ferry.when(Cross(passengers: ["Jonah"])).failed(with: Storm(), after: .progress)
  }

  @Test("a command without a result, and an action in the place of its own handler")
  func others() async {
    await given(ScriptedHandler(Ring.self, .answering(()).publishing(.progress))).when(Ring()).then(after: .progress)
    await given(ScriptedHandler(Greet.self, .answering("Go away"))).when(Greet(name: "Kim")).then("Go away")
  }

  @Test("an output that is NaN, or holds it, is as expected if its text is")
  func notANumber() async {
    struct Sound: Command { typealias Output = [Double] }
    let sounding = given(ScriptedHandler(Sound.self, .answering([1, .nan]).publishing(.data([.nan]))))
    await sounding.when(Sound()).then([1, .nan], after: .data([.nan]))
    let reported = await reports { await sounding.when(Sound()).then([2, .nan], after: .data([.nan])) }
    #expect(reported.count == 1)
  }

  @Test("an engine: its handlers, its middleware, what is executed and posted on the way, and actions")
  func engine() async throws {
    let engine = Engine()
    try engine.use(CrossHandler())
    try engine.use(Ring.self, synchronously: { _, _ in })
    await given(engine)
      .when(Cross(passengers: ["Ann"]))
      .then(["Ann"], after: .progress, .data(["Ann"]))
      .executed(Cross(passengers: ["Ann"]), Ring(times: 2))
      .posted(Crossed(count: 1))
    await given(engine).when(Greet(name: "Kim")).then("Hello, Kim").executed(Greet(name: "Kim")).posted()

    engine.add(ClosureMiddleware<any Command>.abort { $0 is Ring })
    await given(engine).when(Ring()).stopped().executed()
    engine.add(ClosureMiddleware<any AnyCommandEvent>.abort { $0.isProgress })
    await given(engine).when(Cross(passengers: ["Jonah"])).failed(with: Storm())
    await given(Engine()).when(Ring()).failed(with: EngineError.noHandler(Ring.self))
  }

  @Test("an engine is left as it was")
  func untouched() async throws {
    let engine = Engine()
    let errors = Log<String>()
    engine.errorHandler = { errors.note("\(type(of: $0))") }
    try engine.use(CrossHandler())
    for _ in 1...3 { await given(engine).when(Cross(passengers: ["Jonah"])).failed(with: Storm(), after: .progress) }
    #expect(errors.entries == ["Storm", "Storm", "Storm"])
    let token = engine.react(to: Cross.self, consume: { _ in })
    engine.execute(Cross(passengers: ["Jonah"]))
    #expect(errors.entries.count == 4)
    token.cancel()
  }

  @Test("something may be done meanwhile: move time on, cancel, fail")
  func meanwhile() async throws {
    let time = VirtualScheduler()
    let slow = ScriptedHandler(Cross.self, on: time, .answering(["Ann"]).publishing(.progress).after(.seconds(2)))
    await given(slow)
      .when(Cross(passengers: ["Ann"])) { _ in
        await slow.waitUntilAsked()
        time.advance(by: .seconds(2))
      }
      .then(["Ann"], after: .progress)

    let never = ScriptedHandler(Cross.self, .never)
    await given(never)
      .when(Cross(passengers: [])) { execution in
        await never.waitUntilAsked()
        #expect(execution.outcome == nil)
        execution.cancel()
      }
      .failed(with: CancellationError())

    await #expect(throws: Storm.self) {
      _ = try await given(never).when(Cross(passengers: [])) { _ in throw Storm() }
    }
  }

  private struct RetryOnce: Middleware {
    func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
      next(command).then { outcome in
        outcome.failure == nil ? MiddlewareResult(outcome) : next(command)
      }
    }
  }

  @Test("middleware of an engine that tries again, and a handler that answers late")
  func retry() async throws {
    let engine = Engine()
    let time = VirtualScheduler()
    let handler = ScriptedHandler(Cross.self, on: time, .failing(Storm()), .answering(["Ann"]).after(.seconds(2)))
    try engine.use(handler)
    engine.add(RetryOnce())
    let cross = Cross(passengers: ["Ann"])
    await given(engine)
      .when(cross) { _ in
        await handler.waitUntilAsked(2)
        time.advance(by: .seconds(2))
      }
      .then(["Ann"])
      .executed(cross, cross)
      .posted()
  }

  @Test("each difference is reported by itself, where the expectation is, with the errors of the engine")
  func differences() async {
    let result = await ferry.when(Cross(passengers: ["Ann", "Bea"]))
    let line = #_sourceLocation.line + 1
    let issues = reportsWithLocations { result.then(["Ann", "Cleo"], after: .data(["Ann"]), .error(Storm())) }
    #expect(issues.map { $0.sourceLocation.line } == [line, line])
    let texts = issues.map(\.text)
    #expect(
      texts.first?.split(separator: "\n").prefix(2).map(String.init) == [
        "the output is not as expected:", "  [1]: expected \"Cleo\", observed \"Bea\"",
      ],
      "\(texts)"
    )
    // The ferry has no bell.
    #expect(texts.first?.contains("reported: RASPTestingTests.Ring was executed") == true, "\(texts)")
    #expect(
      texts.last?.split(separator: "\n").prefix(4).map(String.init) == [
        "the events before the outcome are not as expected (- missing, + not expected):",
        "  + progress", "    data [\"Ann\"]", "  - error Storm()",
      ],
      "\(texts)"
    )

    #expect(reports { result.failed(with: Storm(), after: .progress, .data(["Ann"])) }.count == 1)
    #expect(reports { result.stopped(after: .progress, .data(["Ann"])) }.count == 1)
    #expect(reports { result.posted() }.count == 1)
    #expect(reports { result.executed() }.count == 1)
    let failure = await ferry.when(Cross(passengers: ["Jonah"]))
    #expect(reports { failure.failed(with: CancellationError(), after: .progress) }.count == 1)
    failure.expect { #expect($0.events.count == 2) }
  }
}
