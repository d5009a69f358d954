import RASPServices
import RASPTesting
import TestSupport
import Testing

@Suite("Recorders of services", .endsInTime)
struct ServiceRecordersTests {
  private struct NoWay: Error {}

  @Test("a recorder in the environment stands for the cluster")
  func environment() async throws {
    let recorder = ActionRecorder()
    let announced = Log<String>()
    try await withCluster {
      HarbourService().environment(\.send, recorder.send)
        .with(model: Harbour())
      EmptyService().pre(action: Announcement.self) { announced.note($0.text) }
    } perform: { cluster in
      try await cluster.send(action: HarbourAction.moor("Ann"))
    }
    recorder.expect(Announcement(text: "Ann is in"))
    #expect(announced.entries.isEmpty)
    #expect(recorder.actions(of: Announcement.self).map(\.text) == ["Ann is in"])
    #expect(recorder.actions(of: HarbourAction.self).isEmpty)
  }

  @Test("a recorder around services lets what they send go on")
  func around() async throws {
    let recorder = ActionRecorder()
    let announced = Log<String>()
    try await withCluster {
      HarbourService().with(model: Harbour()).recordingActions(in: recorder)
      EmptyService().pre(action: Announcement.self) { announced.note($0.text) }
    } perform: { cluster in
      try await cluster.send(action: HarbourAction.moor("Ann"))
    }
    recorder.expect(Announcement(text: "Ann is in"))
    #expect(announced.entries == ["Ann is in"])
  }

  @Test("a recorder may fail what it is given, after it has written it down; a side effect is called with it")
  func failing() async throws {
    let recorder = ActionRecorder { _ in throw NoWay() }
    var harbour = Harbour()
    let effect = Reducers.harbour(&harbour, .moor("Ann"))
    await #expect(throws: NoWay.self) { try await effect?(recorder.send, ()) }
    recorder.expect(Announcement(text: "Ann is in"))
    #expect(harbour.berths == ["Ann"])
  }

  @Test("anything but the expected actions is reported, at the expectation")
  func difference() async throws {
    let recorder = ActionRecorder()
    recorder.expect()
    try await recorder.send(HarbourAction.close)
    #expect(reports { recorder.expect() }.count == 1)
    #expect(reports { recorder.expect(HarbourAction.close, HarbourAction.close) }.count == 1)
    let line = #_sourceLocation.line + 1
    let issues = reportsWithLocations { recorder.expect(HarbourAction.moor("Ann")) }
    #expect(issues.map { $0.sourceLocation.line } == [line])
    #expect(
      issues.first?.text == """
        the actions sent are not as expected (- missing, + not expected):
          - HarbourAction.moor("Ann")
          + HarbourAction.close
        """
    )
  }

  @Test("a cluster is shut down at the end, also after an error, and gives what the body gives")
  func lifetime() async throws {
    let torn = Log<String>()
    let number = try await withCluster {
      EmptyService().teardown { torn.note("first") }
    } perform: { _ in
      torn.note("body")
      return 7
    }
    #expect(number == 7)
    await #expect(throws: NoWay.self) {
      try await withCluster {
        EmptyService().teardown { torn.note("second") }
      } perform: { _ in
        throw NoWay()
      }
    }
    #expect(torn.entries == ["body", "first", "second"])
  }

  @Test("mistakes are reported, unless a recorder takes them")
  func diagnostics() async throws {
    let line = #_sourceLocation.line + 2
    let issues = try await reportsWithLocations {
      try await withCluster {
        EmptyService()
      } perform: { cluster in
        try await cluster.send(action: HarbourAction.close)
      }
    }
    #expect(issues.map { $0.sourceLocation.line } == [line])

    let problems = DiagnosticRecorder()
    try await withCluster(diagnostics: problems) {
      HarbourService()
    } perform: { cluster in
      try await cluster.send(action: Announcement(text: "Ann"))
    }
    #expect(problems.diagnostics.map(\.isFatal) == [true, false])
  }

  @Test("the body runs where the test runs")
  @MainActor
  func isolation() async throws {
    final class Local { var count = 0 }
    let local = Local()
    try await withCluster {
      EmptyService()
    } perform: { _ in
      MainActor.assertIsolated()
      local.count += 1
    }
    #expect(local.count == 1)
  }
}
