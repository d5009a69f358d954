import RASPCommands
import RASPCommandsTesting
import RASPTesting
import TestSupport
import Testing

@Suite("Scripted handler", .endsInTime)
struct ScriptedHandlerTests {
  private let time = VirtualScheduler()

  private func text(_ outcome: Outcome<[String]>) -> String {
    switch outcome {
    case .handled(let output): output.joined(separator: " ")
    case .stopped: "stopped"
    case .failed(let error): "\(error)"
    }
  }

  @Test("each command gets the next reply, and the last one stays")
  func replies() async throws {
    let engine = Engine()
    let handler = ScriptedHandler(Cross.self, .answering(["Ann"]), .failing(Storm()), .answering(["Bea"]))
    try engine.use(handler)
    var outcomes: [String] = []
    for number in 1...4 { outcomes.append(text(await engine.execute(Cross(passengers: ["\(number)"])).wait())) }
    #expect(outcomes == ["Ann", "Storm()", "Bea", "Bea"])
    #expect(handler.commands.map(\.passengers) == [["1"], ["2"], ["3"], ["4"]])
  }

  @Test("replies are delayed on virtual time, several at once, and end in the order of their instants")
  func delays() async throws {
    let engine = Engine()
    let handler = ScriptedHandler(
      Cross.self,
      on: time,
      .answering(["slow"]).after(.seconds(3)),
      .failing(Storm()).after(.seconds(1))
    )
    try engine.use(handler)
    let slow = engine.execute(Cross(passengers: []))
    await handler.waitUntilAsked()
    let failing = engine.execute(Cross(passengers: []))
    await handler.waitUntilAsked(2)
    #expect(time.pending == [.seconds(1), .seconds(3)])
    time.advance(by: .seconds(1))
    #expect(text(await failing.wait()) == "Storm()")
    #expect(slow.outcome == nil)
    time.advance(by: .seconds(2))
    #expect(text(await slow.wait()) == "slow")
    #expect(time.pending.isEmpty)
  }

  @Test("a reply that is delayed, and one that never comes, end when the execution is cancelled")
  func cancelled() async throws {
    let engine = Engine()
    let handler = ScriptedHandler(Cross.self, on: time, .answering([]).after(.seconds(1)), .never)
    try engine.use(handler)
    for count in 1...2 {
      let execution = engine.execute(Cross(passengers: []))
      await handler.waitUntilAsked(count)
      #expect(execution.outcome == nil)
      execution.cancel()
      #expect(text(await execution.wait()) == "CancellationError()")
    }
  }

  @Test("without a scheduler nothing is delayed; events come before the reply")
  func events() async throws {
    let engine = Engine()
    let reply = ScriptedHandler<Cross>.Reply.answering(["Ann"]).publishing(.progress).publishing(.data([]))
    try engine.use(ScriptedHandler(Cross.self, reply.after(.seconds(9))))
    let recorder = ReactionRecorder<[String]>()
    _ = await engine.execute(Cross(passengers: []), reaction: recorder.reaction).wait()
    recorder.expect(.wait, .consume([]), .consume(["Ann"]))
  }

  @Test("a task that waits to be asked gives up when it is cancelled")
  func givingUp() async {
    let handler = ScriptedHandler(Cross.self, .never)
    let waiting = Task { await handler.waitUntilAsked() }
    waiting.cancel()
    await waiting.value
    #expect(handler.commands.isEmpty)
  }
}
