import RASPCommands
import RASPCommandsTesting
import RASPTesting
import TestSupport
import Testing

@Suite("Recorders of commands", .endsInTime)
struct CommandRecordersTests {
  @Test("all that happens on an engine, in one order")
  func engine() throws {
    let engine = Engine()
    try engine.use(CrossHandler())
    let recorder = EngineRecorder(engine)
    let token = engine.react(to: Cross.self, consume: { _ in })
    let cross = Cross(passengers: ["Ann"])
    engine.execute(cross)
    // Synchronous handlers stay synchronous.
    recorder.expect(
      .executing(cross),
      .published(CommandEvent<Cross>.progress),
      .published(CommandEvent<Cross>.data(["Ann"])),
      .executing(Ring(times: 2)),
      .failed(Ring(times: 2), EngineError.noHandler(Ring.self)),
      .reported(EngineError.noHandler(Ring.self)),
      .posted(Crossed(count: 1)),
      .reported(EngineError.noListeners(FactCommand<Crossed>.self)),
      .handled(cross),
      .published(CommandEvent<Cross>.data(["Ann"]))
    )
    #expect(recorder.commands(of: Cross.self) == [cross])
    #expect(recorder.events(of: Cross.self).compactMap(\.output) == [["Ann"], ["Ann"]])
    #expect(recorder.facts as? [Crossed] == [Crossed(count: 1)])
    #expect(recorder.errors.count == 2)
    token.cancel()
  }

  @Test("a command that later middleware stops; nothing after stop; a former error handler is still called")
  func middleware() throws {
    let engine = Engine()
    let errors = Log<String>()
    engine.errorHandler = { errors.note("\($0)") }
    try engine.use(CrossHandler())
    let recorder = EngineRecorder(engine)
    engine.add(ClosureMiddleware<any Command>.abort())
    engine.execute(Ring())
    recorder.expect(.executing(Ring()), .stopped(Ring()))
    recorder.stop()
    engine.execute(Ring())
    #expect(recorder.entries.count == 2)
    engine.post(Crossed(count: 0))
    #expect(errors.entries.count == 1)
  }

  @Test("anything but the expected entries is reported, at the expectation")
  func differences() throws {
    let engine = Engine()
    try engine.use(Ring.self, synchronously: { _, _ in })
    let recorder = EngineRecorder(engine)
    let token = engine.react(to: Ring.self, consume: { _ in })
    engine.execute(Ring())
    let line = #_sourceLocation.line + 2
    let issues = reportsWithLocations {
      recorder.expect(.executing(Ring()), .stopped(Ring()), .posted(Crossed(count: 1)))
    }
    #expect(issues.map { $0.sourceLocation.line } == [line])
    let text = issues.first?.text
    #expect(
      text?.split(separator: "\n").sorted()
        == [
          "  + handled Ring(times: 1)", "  + published data () of Ring", "  - posted Crossed(count: 1)",
          "  - stopped Ring(times: 1)", "    executing Ring(times: 1)",
          "the entries are not as expected (- missing, + not expected):",
        ].sorted(),
      "\(text ?? "")"
    )
    // The same kind of event, of another command or with other data, is another one.
    #expect(reports { recorder.expect(.executing(Ring()), .handled(Ring()), .published(ring)) }.isEmpty)
    #expect(reports { recorder.expect(.executing(Ring()), .handled(Ring()), .published(crossed)) }.count == 1)
    token.cancel()
  }

  private let ring = CommandEvent<Ring>.data(())
  private let crossed = CommandEvent<Cross>.data([])

  @Test("a reaction that records, registered and for one execution")
  func reaction() throws {
    let engine = Engine()
    try engine.use(CrossHandler())
    let recorder = ReactionRecorder<[String]>()
    let token = engine.react(to: Cross.self, with: recorder.reaction)
    engine.execute(Cross(passengers: ["Ann"]))
    recorder.expect(.wait, .consume(["Ann"]), .consume(["Ann"]))
    token.cancel()

    let own = ReactionRecorder<[String]>()
    engine.execute(Cross(passengers: ["Jonah"]), reaction: own.reaction)
    own.expect(.wait, .rescue(Storm()))
    #expect(recorder.outputs == [["Ann"], ["Ann"]])
    #expect(
      reports { own.expect(.wait, .consume(["Ann"])) } == [
        """
        the calls are not as expected (- missing, + not expected):
            wait
          - consume ["Ann"]
          + rescue Storm()
        """
      ]
    )
  }

  @Test("a reaction may do more than record")
  func onCall() throws {
    let engine = Engine()
    try engine.use(Ring.self, synchronously: { _, _ in })
    let heard = Log<String>()
    let recorder = ReactionRecorder<Void> { _ in heard.note("ring") }
    engine.execute(Ring(), reaction: recorder.reaction)
    #expect(heard.entries == ["ring"])
    #expect(recorder.calls.count == 1)
  }
}
