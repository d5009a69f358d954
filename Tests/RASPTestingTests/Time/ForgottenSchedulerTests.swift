import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("A scheduler that was not passed on", .endsInTime)
struct ForgottenSchedulerTests {
  private struct Broken: Error {}

  private static let issues = Log<Issue>()

  @Test(
    "TIME-09: a timer of a real clock is a warning of the test that has virtual time, once, and none of another test",
    .compactMapIssues { issue in
      issues.note(issue)
      return nil
    }
  )
  func told() async {
    let before = Recorder(Observable.interval(.seconds(60)))
    let time = VirtualScheduler()
    // It has no test, as a timer of another test is one of another test.
    await Task.detached { Recorder(Observable.interval(.seconds(60))).cancel() }.value
    let virtual = Recorder(Observable.interval(.seconds(60), on: time), on: time)
    #expect(Self.issues.count == 0)

    let broken = Observable<Int, Broken>.fail(Broken())
    let tries = Recorder(broken.retry(3, delay: .constant(.seconds(60))), on: time)
    let more = Recorder(Observable.interval(.seconds(60)))
    let texts = Self.issues.entries.flatMap { $0.comments.map(\.rawValue) }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("ClockScheduler<ContinuousClock>") == true, "\(texts)")
    #expect(texts.first?.contains("`on:`") == true, "\(texts)")
    #expect(Self.issues.entries.map(\.severity) == [.warning])
    withExtendedLifetime((before, virtual, tries, more)) {}
  }

  @Test("when virtual time has gone, nothing is told")
  func gone() {
    var time: VirtualScheduler? = VirtualScheduler()
    weak let weakTime = time
    time = nil
    #expect(weakTime == nil)
    Recorder(Observable.interval(.seconds(60))).cancel()
  }
}
