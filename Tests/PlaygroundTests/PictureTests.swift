import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The picture of a run")
struct PictureTests {
  /// A run of a processor and its memory after ten seconds, whose second source is being tried again.
  private func report() -> Report {
    let time = VirtualScheduler()
    let state = Aggregator(initial: SystemState())
    let fault = Subject<SystemEvent, SensorFailure>()
    let processor = Subject<SystemEvent, Never>()
    state.add(processor.observable, as: "processor", on: time)
    let retries = state.health.retries(of: "memory")
    state.add(fault.observable.retry(.constant(.seconds(3)), on: time, onEvent: retries), as: "memory", on: time)
    fault.fail(SensorFailure())
    var report = Report(title: "This machine", length: .seconds(30), events: [], fields: ["processor", "memory"])
    report.apply(.change(.processor(0.5)))
    for second in 100...110 { report.apply(.redraw(state.health.sources, at: .seconds(second))) }
    return withExtendedLifetime(processor) { report }
  }

  private func lines(_ report: Report, _ columns: Int, _ rows: Int) -> [String] {
    report.lines(TerminalSize(columns: columns, rows: rows), help: ["q   quit"])
  }

  @Test("a picture shows fields with their curves, sources with their events, and how much was folded")
  func picture() {
    let lines = lines(report(), 80, 24)
    #expect(lines[0].hasPrefix("This machine, 10 s of 30 s") && lines[0].hasSuffix("? help") && lines[0].count == 80)
    #expect(lines[1] == "" && lines[2].hasPrefix("processor   50.0 %") && lines[2].hasSuffix("▅▅▅"))
    #expect(lines[3].hasPrefix("memory      unknown"))
    #expect(lines[5] == "1 ● processor             0 events" && lines[6] == "2 ◌ memory      retrying  0 events")
    #expect(lines[8] == "0 events were folded into one state" && lines.count == 9)
  }

  @Test("a small picture has the fields, and the sources that are in trouble")
  func small() {
    #expect(lines(report(), 40, 5).map { $0.prefix(20) }.last == "2 ◌ memory      retr")
    #expect(lines(report(), 40, 5).count == 4)
  }

  @Test(
    "no picture has more lines or columns than the terminal",
    arguments: [(20, 5), (1, 1), (0, 0), (49, 3), (50, 4), (89, 5), (90, 6), (300, 100)]
  )
  func sizes(columns: Int, rows: Int) {
    var report = report()
    for isHelpShown in [false, true] {
      if isHelpShown { report.apply(.help) }
      for message in [nil, "a message that is longer than the smallest terminals are wide"] {
        if let message { report.apply(.message(message)) }
        let lines = lines(report, columns, rows)
        #expect(lines.count <= rows && lines.allSatisfy { $0.columns <= columns })
        if rows > 0, columns > 2, let message { #expect(lines.last?.prefix(2) == message.prefix(2)) }
      }
    }
  }

  @Test("a message stands until the next key")
  func message() {
    var report = report()
    report.apply(.message("memory has failed"))
    #expect(lines(report, 80, 24).last == "memory has failed")
    report.apply(.message(nil))
    #expect(report.message == nil)
  }

  @Test("what is known no more stands in parentheses")
  func stale() {
    var report = Report(title: "T", events: [], fields: ["depth"])
    for (depth, text) in [(5, " 5.0 m "), (nil, " (5.0 m) "), (6, " 6.0 m ")] as [(Double?, String)] {
      report.apply(.change(.depth(depth)))
      #expect(lines(report, 80, 24).contains { $0.contains(text) })
    }
  }

  @Test("without keys there is no word of a help, and a title of wide characters leaves the hint where it is")
  func title() {
    let report = Report(title: "日本語", events: [], fields: [])
    #expect(report.lines(TerminalSize(columns: 60, rows: 5))[0] == "日本語, 0 s until it ends")
    #expect(lines(report, 60, 5)[0].columns == 60 && lines(report, 60, 5)[0].hasSuffix("? help"))
  }

  // MARK: Keys

  /// A run of which these keys were pressed, and how often the user has wished its end.
  private func press(_ keys: [TerminalKey]) async throws -> (report: Report, quits: Int) {
    let (input, file, quits) = (Subject<TerminalKey, Never>(), try OutputFile(), Log<Int>())
    let presenter = Presenter(Report(title: "T", events: [], fields: []), style: .picture, output: file.output)
    let token = presenter.quits(by: input.observable) { $0 == .character("1") ? "failed" : nil }
      .subscribe { quits.note(1) }
    for key in keys { input.send(key) }
    let report = await presenter.finish()
    return withExtendedLifetime(token) { (report, quits.entries.count) }
  }

  @Test("help is shown and hidden, escape hides it first and then quits, and a key of the scenario does what it does")
  func keys() async throws {
    #expect(try await press([.character("?")]).report.isHelpShown)
    let hidden = try await press([.character("?"), .escape])
    #expect(!hidden.report.isHelpShown && hidden.quits == 0)
    for key: TerminalKey in [.character("q"), .escape, .end] { #expect(try await press([key]).quits == 1) }
    #expect(try await press([.character("1")]).report.message == "failed")
    #expect(try await press([.character("x"), .tab]).report.message == nil)
  }
}
