import Streams
import Testing

/// What `body` reports as issues of the running test, as text and without letting it fail the test.
func reports(_ body: () throws -> Void) rethrows -> [String] {
  try reportedIssues(body).map { issue in issue.comments.map(\.rawValue).joined(separator: "\n") }
}

/// The issues that `body` reports, without letting them fail the test.
func reportedIssues(_ body: () throws -> Void) rethrows -> [Issue] {
  let issues = Lock<[Issue]>([])
  try withKnownIssue(isIntermittent: true) {
    try body()
  } matching: { issue in
    issues.withLock { $0.append(issue) }
    return true
  }
  return issues.withLock { $0 }
}
