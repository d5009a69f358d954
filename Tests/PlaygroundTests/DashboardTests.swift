import Aggregate
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The dashboard")
struct DashboardTests {
  private func source(_ name: String, _ condition: SourceStatus.Condition = .connected, count: Int = 0) -> SourceStatus
  {
    SourceStatus(name: name, condition: condition, count: count, outages: 0)
  }

  /// A dashboard of a processor and its memory after ten seconds.
  private func dashboard() -> Dashboard {
    var dashboard = Dashboard(title: "This machine", length: .seconds(30), fields: ["processor", "memory"])
    dashboard.update([source("processor"), source("memory", .retrying)], at: .seconds(100))
    dashboard.show(.processor(ProcessorLoad(total: 0.5)), at: .seconds(101))
    dashboard.show(.course(1), at: .seconds(101))
    for second in 102...110 {
      dashboard.update(
        [source("processor", count: 2 * (second - 100)), source("memory", .retrying)],
        at: .seconds(second)
      )
    }
    return dashboard
  }

  private func lines(_ dashboard: Dashboard, _ columns: Int, _ rows: Int, colours: Bool = false) -> [String] {
    DashboardPicture(dashboard, colours: colours)
      .lines(TerminalSize(columns: columns, rows: rows), help: ["space   pause", "q   quit"])
  }

  @Test("a wide picture shows sources with their events a second, the fold, and fields with age and history")
  func wide() throws {
    let lines = lines(dashboard(), 120, 24)
    #expect(lines[0].hasPrefix("This machine, 10 s of 30 s") && lines[0].hasSuffix("? help"))
    #expect(lines[1].hasPrefix("SOURCES") && lines[1].contains("FOLD") && lines[1].contains("FIELDS"))
    #expect(lines[2].hasPrefix("1 ● processor      2.0/s ▶ 2.0/s"))
    #expect(lines[2].contains("50.0 %") && lines[2].contains("9.0 s") && lines[2].hasSuffix("▅▅▅"))
    #expect(lines[3].hasPrefix("2 ◌ memory      retrying ▶"))
    #expect(lines[3].contains("unknown") && !lines[3].contains("▅"))
    #expect(lines.count == 4)
  }

  @Test("a title of wide characters leaves the hint where it is, and a list is cut between its parts")
  func wideCharacters() {
    var dashboard = Dashboard(title: "日本語", fields: ["processes"])
    let processes = [BusyProcess(name: "swift-frontend", share: 1), BusyProcess(name: "swift-build", share: 0.5)]
    dashboard.show(.processes(processes), at: .zero)
    let shown = lines(dashboard, 60, 5)
    #expect(shown[0].columns == 60 && shown[0].hasSuffix("? help"))
    #expect(shown[1].contains("swift-frontend 100 % ") && !shown[1].contains("swift-b"))
    // What does not fit stands in the place of the history.
    #expect(lines(dashboard, 80, 5)[1].hasSuffix("0.0 s  swift-build 50 %"))
  }

  @Test("a narrow picture has the fields, and the sources that are in trouble")
  func narrow() {
    #expect(
      lines(dashboard(), 20, 5) == [
        "This machine, 10 s o", "processor   50.0 %", "memory      unknown", "◌ memory retrying",
      ]
    )
  }

  @Test(
    "no picture has more lines or columns than the terminal",
    arguments: [(20, 5), (1, 1), (0, 0), (49, 3), (50, 4), (89, 5), (90, 6), (300, 100)]
  )
  func sizes(columns: Int, rows: Int) {
    var dashboard = dashboard()
    for isHelpShown in [false, true] {
      if isHelpShown { dashboard.toggleHelp() }
      for message in ["", "a message that is longer than the smallest terminals are wide"] {
        dashboard.tell(DashboardMessage(message))
        let lines = lines(dashboard, columns, rows)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { $0.count <= columns })
        if rows > 2, columns > 20, !message.isEmpty { #expect(lines.last == message.clipped(to: columns)) }
      }
    }
  }

  @Test("a narrow picture with space has the sources with their rates and the fold below the fields")
  func narrowWithSpace() {
    var dashboard = dashboard()
    dashboard.countEvent()
    let shown = lines(dashboard, 80, 24)
    #expect(shown.count == 8 && shown[1].hasPrefix("processor") && shown[3] == "")
    #expect(shown[4] == "SOURCES" && shown[7] == "FOLD  2.0/s, 1 events")
    #expect(shown[5].hasPrefix("1 ● processor      2.0/s") && shown[6].hasPrefix("2 ◌ memory      retrying"))
    #expect(lines(dashboard, 80, 8) == shown)
    #expect(lines(dashboard, 80, 7).last == "◌ memory retrying")
    dashboard.tell(DashboardMessage("told"))
    #expect(lines(dashboard, 80, 10) == shown + ["", "told"])
    #expect(!lines(dashboard, 80, 9).joined().contains("SOURCES"))
  }

  @Test("without keys there is no word of a help")
  func noKeys() {
    let picture = DashboardPicture(dashboard())
    #expect(!picture.lines(TerminalSize(columns: 120, rows: 24)).joined().contains("help"))
    func help(_ keys: Observable<TerminalKey, Never>?) -> [String] {
      DashboardControls(keys: keys, sources: { [] }, past: { _ in nil }, page: { "" }, help: ["1"]).allHelp
    }
    #expect(help(nil).isEmpty && help(.merge([])).count > 1)
  }

  @Test("the age is that of the last reading, and a stale value was not read again")
  func age() {
    var dashboard = dashboard()
    func age() -> Bool { lines(dashboard, 120, 24)[2].contains(" 2.0 s ") }
    #expect(!age())
    dashboard.read("processor", at: .seconds(108))
    dashboard.read("memory", at: .seconds(108))
    dashboard.read("nothing", at: .seconds(108))
    #expect(age() && !lines(dashboard, 120, 24)[3].contains(" 2.0 s "))
    dashboard.show(.processor(nil), at: .seconds(109))
    dashboard.read("processor", at: .seconds(110))
    #expect(age())
  }

  @Test("that a source has failed is told until it has come back")
  func comeBack() {
    var dashboard = dashboard()
    dashboard.tell(DashboardMessage("memory has failed", untilBack: "memory"))
    for (condition, isTold) in [(SourceStatus.Condition.connected, true), (.retrying, true), (.connected, false)] {
      dashboard.update([source("processor"), source("memory", condition)], at: .seconds(111))
      #expect(dashboard.message.text.isEmpty != isTold)
    }
    dashboard.tell(DashboardMessage("a page"))
    dashboard.update([source("memory", .retrying)], at: .seconds(112))
    dashboard.update([source("memory")], at: .seconds(113))
    #expect(dashboard.message.text == "a page")
  }

  @Test("colours are there if they are wanted, and only then")
  func colours() {
    #expect(lines(dashboard(), 120, 24, colours: true).joined().contains("\u{1B}[33m◌"))
    #expect(!lines(dashboard(), 120, 24).joined().contains("\u{1B}"))
  }

  @Test("a moment of the past takes the place of the present, with the time that has passed since")
  func past() {
    var dashboard = dashboard()
    dashboard.turn(to: Dashboard.Past(time: .seconds(105), texts: ["processor": "49.0 %"]))
    dashboard.show(.processor(ProcessorLoad(total: 0.9)), at: .seconds(110))
    let shown = lines(dashboard, 120, 24)
    #expect(shown[0].contains("⏸ 5.0 s ago"))
    #expect(shown[2].contains("49.0 %") && !shown[2].contains("█"))
    dashboard.turn(to: nil)
    #expect(lines(dashboard, 120, 24)[2].contains("90.0 %"))
  }

  @Test("in the past the sources and the fold are those of then")
  func pastSources() {
    var dashboard = dashboard()
    for second in 111...113 {
      for _ in 0..<10 { dashboard.countEvent() }
      dashboard.update([source("processor", .failed), source("memory", count: 100)], at: .seconds(second))
    }
    let present = lines(dashboard, 120, 24)
    #expect(present[2].hasPrefix("1 ✖ processor") && present[3].contains("30 events"))
    dashboard.turn(to: Dashboard.Past(time: .seconds(112), texts: [:]))
    #expect(lines(dashboard, 120, 24)[3].contains("20 events"))
    dashboard.turn(to: Dashboard.Past(time: .milliseconds(108_900), texts: [:]))
    let past = lines(dashboard, 120, 24)
    #expect(past[2].hasPrefix("1 ● processor      2.0/s ▶ 2.0/s") && past[3].hasPrefix("2 ◌ memory      retrying"))
    #expect(past[3].contains("0 events"))
    #expect(lines(dashboard, 40, 24).contains { $0.hasPrefix("2 ◌ memory") })
  }

  @Test("the moments of a long run are fewer in a minute, and all of its time is there")
  func longRun() {
    var moments = DashboardMoments()
    for second in 1...20_000 { moments.append(DashboardMoment(time: .seconds(second), eventCount: second)) }
    for second in [1, 100, 9_999, 20_000] {
      let found = moments.last(at: .seconds(second))?.eventCount ?? 0
      #expect(found <= second && second - found < 8)
    }
    #expect(moments.last(at: .zero) == nil)
  }

  // MARK: Keys

  /// A report, and what its keys have done.
  private func press(_ keys: [TerminalKey]) -> (dashboard: Dashboard, hasEnded: Bool) {
    let report = Aggregator(initial: Report(title: "T", sources: [], fields: ["processor"]))
    for second in [1, 10] { report.send(.redraw([], at: .seconds(second))) }
    let controls = DashboardControls(
      keys: .merge([]),
      sources: { [] },
      past: { $0 > .seconds(5) ? ["processor": "\($0)"] : nil },
      page: { "a page" },
      press: { $0 == .character("1") ? DashboardMessage("failed") : nil }
    )
    let hasEnded = Box(false)
    let ends = controls.ends.subscribe { hasEnded.value = true }
    let dashboardKeys = DashboardKeys(controls: controls, report: report)
    for key in keys { dashboardKeys.press(key) }
    return withExtendedLifetime(ends) { (report.snapshot.dashboard, hasEnded.value ?? false) }
  }

  @Test("space stops the picture and lets it go on")
  func pause() {
    #expect(press([.character(" ")]).dashboard.past?.time == .seconds(10))
    #expect(press([.character(" "), .character(" ")]).dashboard.past == nil)
  }

  @Test("arrows go back in time and forward again, up to the present")
  func travel() {
    #expect(
      press([.left, .left]).dashboard.past == Dashboard.Past(time: .seconds(8), texts: ["processor": "8.0 seconds"])
    )
    #expect(press([.left, .left, .right]).dashboard.past?.time == .seconds(9))
    #expect(press([.left, .right]).dashboard.past == nil)
    #expect(press([.right]).dashboard.past == nil)
  }

  @Test("nothing is shown of the time before the run")
  func beginning() {
    var report = Report(title: "T", sources: [], fields: [])
    report.apply(.redraw([], at: .seconds(7)))
    report.apply(.redraw([], at: .seconds(9)))
    let aggregator = Aggregator(initial: report)
    let controls = DashboardControls(keys: .merge([]), sources: { [] }, past: { _ in [:] }, page: { "" })
    for _ in 0..<5 { DashboardKeys(controls: controls, report: aggregator).press(.left) }
    #expect(aggregator.snapshot.dashboard.past?.time == .seconds(7))
  }

  @Test("a page is written, a key of the scenario does what it does, and both are told")
  func messages() {
    #expect(press([.character("w")]).dashboard.message.text == "a page")
    #expect(press([.character("1")]).dashboard.message.text == "failed")
    #expect(press([.character("x"), .tab]).dashboard.message.text == "")
  }

  @Test("help is shown and hidden, escape hides it first and then quits")
  func helpAndQuit() {
    #expect(press([.character("?")]).dashboard.isHelpShown)
    let hidden = press([.character("?"), .escape])
    #expect(!hidden.dashboard.isHelpShown && !hidden.hasEnded)
    for key: TerminalKey in [.character("q"), .escape, .end] { #expect(press([key]).hasEnded) }
  }

  @Test("the rate is that of the last seconds")
  func rate() {
    var rate = EventRate()
    #expect(rate.perSecond == nil)
    for second in 0..<10 { rate.update(second < 5 ? 0 : (second - 4) * 3, at: .seconds(second)) }
    #expect(rate.perSecond == 3)
  }
}
