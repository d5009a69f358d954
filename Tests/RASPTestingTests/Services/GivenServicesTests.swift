import RASPServices
import RASPTesting
import TestSupport
import Testing

@Suite("given services", .endsInTime)
struct GivenServicesTests {
  private let harbour = given(model: Harbour()) { HarbourService() }

  @Test("the model's difference, what was sent and what was thrown, in order")
  func model() async {
    await harbour
      .when(HarbourAction.moor("Ann"), HarbourAction.moor("Bea"), HarbourAction.moor("Cleo"), HarbourAction.close)
      .then(
        sent: [Announcement(text: "Ann is in"), Announcement(text: "Bea is in")],
        threw: [HarbourFull(ship: "Cleo")]
      ) {
        $0.berths = ["Ann", "Bea"]
        $0.isOpen = false
      }
  }

  @Test("a tree is a value: each case begins anew, and a case without a change expects none")
  func value() async {
    await harbour.when(HarbourAction.moor("Ann")).then(sent: [Announcement(text: "Ann is in")]) { $0.berths = ["Ann"] }
    await harbour.when([HarbourAction.leave("Ann")]).then()
    await harbour.when().then()
  }

  @Test("a model and actions that hold NaN are as expected if their text is")
  func notANumber() async {
    struct Sounding: Action, Equatable { var depth = Double.nan }
    struct Chart: Sendable, Equatable {
      var depths = [Double.nan]
      var isRead = false
    }
    let chart = given(model: Chart()) {
      Store(model: Chart.self).mutate(on: HarbourAction.self) { chart, _, send in
        chart.depths = chart.depths.map { $0 }
        try await send(Sounding())
      }
    }
    await chart.when(HarbourAction.close).then(sent: [Sounding()])
    let reported = await reports {
      await chart.when(HarbourAction.close).then(sent: [Sounding()]) { $0.isRead = true }
    }
    #expect(reported.count == 1)
  }

  @Test("what is sent goes on into the tree")
  func passedOn() async {
    struct Herald: Service {
      var body: some Service {
        Store(model: Harbour.self)
          .mutate(on: Announcement.self) { harbour, _, send in
            harbour.isOpen = false
            try await send(HarbourAction.leave("Ann"))
          }
      }
    }
    await given(model: Harbour()) {
      HarbourService()
      Herald()
    }
    .when(HarbourAction.moor("Ann"))
    .then(sent: [Announcement(text: "Ann is in"), HarbourAction.leave("Ann")]) { $0.isOpen = false }
  }

  @Test("the state of a reducer")
  func reducer() async {
    await given(state: Harbour.self) { Reducer(state: Harbour(isOpen: false), reduce: Reducers.harbour) }
      .when(HarbourAction.moor("Ann"), HarbourAction.moor("Bea"), HarbourAction.leave("Ann"))
      .then(
        sent: [Announcement(text: "Ann is in"), Announcement(text: "Bea is in")],
        threw: [HarbourFull(ship: "Ann")]
      ) { $0.berths = ["Bea"] }
  }

  @Test("services without a model, and a transformed error")
  func services() async {
    await given {
      EmptyService()
        .pre(action: HarbourAction.self) { if case .moor(let ship) = $0 { throw HarbourFull(ship: ship) } }
        .transformError { ($0 as? HarbourFull).map { Announcement(text: $0.ship) } }
    }
    .when(HarbourAction.close, HarbourAction.moor("Ann"))
    .then(sent: [Announcement(text: "Ann")])
  }

  @Test("a model that cannot be compared, and one behind a protocol, are looked at")
  func look() async {
    actor Log {
      var ships: [String] = []
      func note(_ ship: String) { ships.append(ship) }
    }
    let log = Log()
    let result = await given(model: log) {
      Store(model: Log.self).mutate(on: Announcement.self) { log, action, _ in await log.note(action.text) }
    }
    .when(Announcement(text: "Ann"))
    .then()
    #expect(result.model === log)
    #expect(await log.ships == ["Ann"])
    #expect(result.diagnostics.isEmpty)
  }

  @Test("each difference is reported by itself, where the expectation is, with what was thrown")
  func differences() async {
    let result = await harbour.when(HarbourAction.moor("Ann"), HarbourAction.moor("Bea"), HarbourAction.moor("Cleo"))
    let line = #_sourceLocation.line + 2
    let issues = reportsWithLocations {
      result.then(sent: [Announcement(text: "Bea is in"), HarbourAction.close]) { $0.berths = ["Ann"] }
    }
    #expect(issues.map { $0.sourceLocation.line } == [line, line, line])
    let texts = issues.map(\.text)
    #expect(
      texts.first?.split(separator: "\n").prefix(4).map(String.init) == [
        "the actions sent are not as expected (- missing, + not expected):",
        "  + Announcement(text: \"Ann is in\")", "    Announcement(text: \"Bea is in\")", "  - HarbourAction.close",
      ],
      "\(texts)"
    )
    #expect(texts.dropFirst().first?.contains("  + HarbourFull(ship: \"Cleo\")") == true, "\(texts)")
    #expect(texts.last?.contains("berths[1]: expected nothing, observed \"Bea\"") == true, "\(texts)")
    #expect(texts.last?.contains("thrown: HarbourFull(ship: \"Cleo\")") == true, "\(texts)")
    // No service handles it, which may be the reason for a difference.
    #expect(texts.last?.contains("diagnosed: Announcement was sent") == true, "\(texts)")
  }

  @Test("a tree that cannot be started has thrown; a dead part of it is reported")
  func broken() async {
    let failed = await given(model: Harbour()) {
      HarbourService().bootstrap { throw HarbourFull(ship: "bootstrap") }
    }
    .when(HarbourAction.close)
    failed.expect {
      #expect($0.errors as? [HarbourFull] == [HarbourFull(ship: "bootstrap")])
      #expect($0.model == nil)
    }
    #expect(reports { failed.then(threw: [HarbourFull(ship: "bootstrap")]) }.count == 1)

    let dead = await reports { _ = await given { HarbourService() }.when(HarbourAction.close) }
    #expect(dead.count == 1)
    #expect(dead.first?.contains("has no model") == true, "\(dead)")

    let unwatched = await given(state: Harbour.self) { EmptyService() }.when()
    #expect(reports { unwatched.then() }.count == 1)
  }

  @Test("the cluster is shut down at the end")
  func shutdown() async {
    let torn = Log<String>()
    await given { EmptyService().teardown { torn.note("down") } }.when().then()
    #expect(torn.entries == ["down"])
  }
}
