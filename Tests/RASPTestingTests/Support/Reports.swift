import TestSupport
import Testing

@testable import RASPTesting

/// Something that the test kit reports: what, and where.
struct Report: Sendable {
  let text: String
  let sourceLocation: SourceLocation
}

/// What `body` makes the test kit report. None of it is an issue of the running test.
func reportsWithLocations(_ body: () throws -> Void) rethrows -> [Report] {
  let reports = Log<Report>()
  try Reporter.$current.withValue(Reporter { reports.note(Report(text: $0, sourceLocation: $1)) }, operation: body)
  return reports.entries
}

/// What `body` makes the test kit report, as text.
func reports(_ body: () throws -> Void) rethrows -> [String] {
  try reportsWithLocations(body).map(\.text)
}

/// What an asynchronous `body` makes the test kit report. None of it is an issue of the running test.
func reportsWithLocations(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Void
) async rethrows -> [Report] {
  let reports = Log<Report>()
  try await Reporter.$current.withValue(
    Reporter { reports.note(Report(text: $0, sourceLocation: $1)) },
    operation: body,
    isolation: isolation
  )
  return reports.entries
}

/// What an asynchronous `body` makes the test kit report, as text.
func reports(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Void
) async rethrows -> [String] {
  try await reportsWithLocations(body).map(\.text)
}
