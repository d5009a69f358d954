import RASPInsight
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Silence: Error {}
private struct Motion: Action {}
private struct Switch: Action, Equatable { var isOn: Bool }

private struct Light: Equatable {
  var motions = 0

  static let reduce: Reducer<Light, Motion, Void>.Reduce = { light, _ in
    light.motions += 1
    if light.motions != 2 { return nil }
    return { dispatch, _ in try await dispatch(Switch(isOn: true)) }
  }
}

@Suite("The article about tests: tasks and rules", .endsInTime)
struct TasksArticleTests {
  @Test("tasks in virtual time")
  func tasks() async throws {
    try await withVirtualTime { time in
      let answers = Observable<String, any Error>.task {
        try await time.sleep(until: time.now + .seconds(2))
        return "closed"
      }
      let recorder = Recorder(answers.timeout(after: .seconds(3), on: time, failure: Silence()), on: time)
      await time.run(for: .seconds(3))
      #expect(recorder.values == ["closed"])
    }
  }

  @Test("LOAD-116: a rule of a reducer is replayed with the actions of a recorded cluster")
  func replay() async throws {
    let home = try await Bootstrap {
      Reducer(state: Light(), reduce: Light.reduce)
      On(Switch.self) { _, _ in }
    }
    let recorder = Insight().record(home, as: "home")
    try await home.send(action: Motion())
    try await home.send(action: Motion())
    #expect(recorder.recorded(Switch.self) == [Switch(isOn: true)])
    #expect(recorder.recorded((any Action).self).count == 3)

    let motions = recorder.recorded(Motion.self)  // the recorder of a cluster, `insight.record(home, as: "home")`
    await given(state: Light.self) { Reducer(state: Light(), reduce: Light.reduce) }
      .when(motions)
      .then(sent: [Switch(isOn: true)]) { $0.motions = 2 }
    await home.shutdown()
  }
}
