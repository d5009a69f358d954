import Foundation
import RASPInsight
import RASPSupport
import Streams
import TestSupport
import Testing

#if DEBUG
  /// Moves through the page in a real browser: headless Chromium with its WebDriver. It is skipped where they are not
  /// installed, in a release build, and where `RASP_NO_BROWSER` is set, as one run in CI is enough.
  ///
  /// Where `RASP_PICTURES` names a folder, pictures of the page are left there to be looked at.
  @Suite("The page in a browser", .serialized, .enabled(if: Browser.isInstalled, "needs chromium and chromedriver"))
  struct PageInBrowserTests {
    @Test("a person moves through a run")
    func moving() async throws {
      let run = SampleRuns.receiver(count: 600)
      let rudder = try #require(run.occurrences.firstIndex { $0.label == ".rudder(12)" })
      try await withPage(of: run) { browser, _ in
        try await browser.show(width: 1_280, height: 800, dark: false)
        #expect(try await browser.text(of: "#title") == "geo, shop, app, pilot")
        #expect(try await browser.text(of: "#summary").hasPrefix("600 events, "))

        // Select by a click, after a search that leaves few events.
        try await browser.type("rudder(12)", into: "#filter")
        let found = run.occurrences.count { $0.label == ".rudder(12)" }
        #expect(try await browser.text(of: "#summary").hasPrefix("\(found) of 600 events"))
        try await browser.click("#event-\(rudder)")
        #expect(try await browser.text(of: "#details h2") == "pilot #1")
        #expect(try await browser.text(of: "#carries") == ".rudder(12)")
        #expect(try await browser.text(of: ".changes") == ".rudder 0→11\n.turns 0→1")
        let causes = try await browser.text(of: ".causes")
        #expect(causes.contains("TurnBoat, data") && causes.contains("PilotAction.turn(by: 12)"))
        #expect(causes.contains("Before that the cause is unknown."))

        // To its cause by a click: an event that the filter hides, so the filter is cleared.
        try await browser.click(".causes button")
        #expect(try await browser.text(of: "#carries") == "TurnBoat, data")
        #expect(try await browser.text(of: "#summary").hasPrefix("600 events, "))
        #expect(try await browser.text(of: ".effects").contains(".rudder(12)"))

        // By keys: to the cause of the cause, back, and to the effect.
        try await browser.press("c")
        #expect(try await browser.text(of: "#carries") == "TurnBoat(by: 12)")
        #expect(try await browser.text(of: "#details .about").contains("engine · took "))
        try await browser.press("b")
        #expect(try await browser.text(of: "#carries") == "TurnBoat, data")
        try await browser.press("e")
        #expect(try await browser.text(of: "#details h2") == "pilot #1")

        try await browser.press(.home)
        #expect(try await browser.text(of: "#carries") == run.occurrences[0].label)
        try await browser.press(.down, .down, .up)
        #expect(try await browser.text(of: "#carries") == run.occurrences[1].label)
        try await browser.press(.end)
        #expect(try await browser.text(of: "#carries") == run.occurrences[599].label)
        #expect(try await browser.console() == [])
      }
    }

    @Test("the state at an event is the one that the changes before it have made")
    func states() async throws {
      let run = SampleRuns.receiver(count: 3_000)
      try await withPage(of: run) { browser, page in
        // In an order that needs checkpoints, and without.
        for index in [2_999, 1_500, 0, 2_000, 1_999] {
          let id = run.occurrences[index].id
          try await browser.go(to: page.with(fragment: "\(id.lane).\(id.number)"))
          let lane = run.lanes[id.lane - 1].initial.isEmpty ? 1 : id.lane
          var fields: [String: String] = [:]
          for field in run.lanes[lane - 1].initial { fields[field.path] = field.value }
          for occurrence in run.occurrences[...index] where occurrence.id.lane == lane {
            for change in occurrence.changes { fields[change.path] = change.new }
          }
          let shown: [String] = try await browser.evaluate(
            "return [...document.querySelectorAll('.state tr')].map((row) => [...row.children].map((cell) => "
              + "cell.textContent).join('='))"
          )
          #expect(Set(shown) == Set(fields.map { "\($0.key)=\($0.value)" }))
          #expect(shown.count == fields.count)
        }
      }
    }

    @Test("hostile texts are shown, and do nothing")
    func hostile() async throws {
      let lane = Timeline.Lane(number: 1, name: "</title><script>boom()</script>", kind: .aggregator, initial: [])
      let occurrences = SampleRuns.hostileTexts.enumerated().map { number, text in
        Timeline.Occurrence(
          id: Cause(lane: 1, number: number),
          time: .milliseconds(number),
          label: text,
          failure: text,
          changes: [Timeline.Change(path: text, old: nil, new: text)]
        )
      }
      try await withPage(of: Timeline(lanes: [lane], occurrences: occurrences)) { browser, _ in
        try await browser.show(width: 1_280, height: 800, dark: false)
        for (index, text) in SampleRuns.hostileTexts.enumerated() {
          try await browser.press(.down)
          #expect(try await browser.text(of: "#details h2").hasSuffix("#\(index)"))
          if text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || (" "..."~").contains($0) }) {
            let shown: String = try await browser.evaluate("return document.querySelector('#carries').textContent")
            #expect(shown == text)
          }
        }
        #expect(try await browser.console() == [])
      }
      for seed in 0..<3 {
        try await withPage(of: SampleRuns.hostile(seed: UInt64(seed))) { browser, _ in
          try await browser.press(.end, .up, "c", "e", "t", .home, .right, .right)
          #expect(try await browser.console() == [])
        }
      }
    }

    @Test("a hundred thousand events: few elements, and each jump shows its event")
    func large() async throws {
      let run = SampleRuns.receiver(count: 100_000)
      try await withPage(of: run) { browser, _ in
        try await browser.show(width: 1_280, height: 800, dark: false)
        try await browser.press(.end)
        #expect(try await browser.text(of: "#carries") == run.occurrences[99_999].label)
        try await browser.press(.home, .down)
        #expect(try await browser.text(of: "#carries") == run.occurrences[1].label)
        try await browser.type("shop", into: "#filter")
        let matching = run.occurrences.count { $0.id.lane == 2 }
        #expect(try await browser.text(of: "#summary").filter { $0 != "," }.hasPrefix("\(matching) of 100000 events"))
        let elements: Int = try await browser.evaluate("return document.querySelectorAll('*').length")
        #expect(elements < 1_500)
        #expect(try await browser.console() == [])
      }
    }

    @Test("wide and narrow, light and dark: nothing is wider than the screen", arguments: [false, true])
    func schemes(dark: Bool) async throws {
      let run = SampleRuns.receiver(count: 400)
      let rudder = try #require(run.occurrences.firstIndex { $0.label == ".rudder(12)" })
      let name = dark ? "dark" : "light"
      try await withPage(of: run) { browser, page in
        try await browser.show(width: 1_280, height: 800, dark: dark)
        try await browser.go(to: page.with(fragment: "4.1"))
        try await keep(browser.picture(), as: "wide-\(name)")
        try await browser.press("t")
        try await keep(browser.picture(), as: "order-\(name)")
        try await browser.press("?")
        try await keep(browser.picture(), as: "help-\(name)")

        try await browser.show(width: 360, height: 740, dark: dark, touch: true)
        try await browser.go(to: page)
        #expect(try await browser.evaluate("return document.documentElement.scrollWidth", as: Int.self) == 360)
        try await keep(browser.picture(), as: "phone-list-\(name)")
        try await browser.type("rudder", into: "#filter")
        try await browser.click("#event-\(rudder)")
        #expect(try await browser.text(of: "#details h2") == "pilot #1")
        #expect(try await browser.evaluate("return document.documentElement.scrollWidth", as: Int.self) == 360)
        try await keep(browser.picture(), as: "phone-event-\(name)")
        try await browser.click("#back")
        #expect(try await browser.text(of: "#list").contains(".rudder(12)"))
      }
    }

    private func withPage(of run: Timeline, _ body: (Browser, URL) async throws -> Void) async throws {
      let folder = URL.temporaryDirectory.appending(path: "rasp-page-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let page = folder.appending(path: "run.html")
      try Data(run.page.utf8).write(to: page)
      try await Browser.open { browser in
        try await browser.go(to: page)
        try await body(browser, page)
      }
    }

    private func keep(_ picture: Data, as name: String) throws {
      #expect(picture.count > 10_000)
      guard let folder = ProcessInfo.processInfo.environment["RASP_PICTURES"] else { return }
      try picture.write(to: URL(filePath: folder).appending(path: "\(name).png"))
    }
  }

  extension URL {
    fileprivate func with(fragment: String) -> URL {
      URL(string: "\(absoluteString)#\(fragment)") ?? self
    }
  }
#endif
