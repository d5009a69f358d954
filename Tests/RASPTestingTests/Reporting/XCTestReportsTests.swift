import Aggregate
import RASPTesting
import Streams
import Testing
import XCTest

/// What the test kit reports in a test of XCTest. This is one, and it takes the failures that it expects off its
/// result.
final class XCTestReportsTests: XCTestCase {
  private struct Counter: AggregateState, Equatable {
    var count = 0
    mutating func apply(_ step: Int) { count += step }
  }

  private var taken: [String]?

  #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
      if taken == nil { super.record(issue) } else { taken?.append(issue.compactDescription) }
    }
  #else
    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      if taken != nil {
        taken?.append(description)
      } else {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    }
  #endif

  private func taking(_ body: () -> Void) -> [String] {
    taken = []
    body()
    defer { taken = nil }
    return taken ?? []
  }

  func testAWrongExpectationIsAFailureOfTheTestWithItsPlace() {
    let failures = taking { given(Counter()).when(1).then { $0.count = 5 } }
    XCTAssertEqual(failures.count, 1)
    XCTAssertTrue(failures.first?.contains("count: expected 5, observed 1") == true, "\(failures)")
    XCTAssertTrue(failures.first?.contains("XCTestReportsTests.swift:") == true, "\(failures)")
  }

  func testAWrongDiagramIsAFailureOfTheTest() {
    let marbles = Marbles()
    let failures = taking { marbles.expect(marbles.stream("a|"), "b|") }
    XCTAssertEqual(failures.count, 1)
    XCTAssertTrue(failures.first?.contains("expected  b|") == true, "\(failures)")
  }

  func testWhatAThreadFindsIsAFailureOfTheTestThatRuns() {
    let failures = taking {
      Threads.run({ given(Counter()).when(1).then() })
    }
    XCTAssertEqual(failures.count, 1)
  }

  func testARightExpectationIsNone() {
    XCTAssertEqual(taking { given(Counter()).when(1).then { $0.count = 1 } }, [])
  }
}
