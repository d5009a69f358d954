import TestSupport
import Testing

@testable import RASPTesting

@Suite("Reports")
struct ReportsTests {
  private static let issues = Log<Issue>()

  @Test(
    "a report is an issue of the running test, where it belongs",
    // Takes the issue out of the test's result.
    .compactMapIssues { issue in
      issues.note(issue)
      return nil
    }
  )
  func issue() {
    Reporter.current.report("one", at: #_sourceLocation)
    let line = #_sourceLocation.line - 1
    #expect(Self.issues.entries.map { $0.comments.map(\.rawValue) } == [["one"]])
    #expect(Self.issues.entries.map { $0.sourceLocation?.line } == [line])
  }

  @Test("the helper of these tests tells a report from none, and takes it off the running test")
  func helper() {
    #expect(reports {} == [])
    #expect(reports { Reporter.current.report("one", at: #_sourceLocation) } == ["one"])
    #expect(
      reports {
        Reporter.current.report("one", at: #_sourceLocation)
        Reporter.current.report("two", at: #_sourceLocation)
      } == ["one", "two"]
    )
  }
}
