import Aggregate
import RASPTesting
import TestSupport
import Testing

@Suite("given, when, then")
struct GivenTests {
  private struct Counter: AggregateState, Equatable {
    var count = 0
    mutating func apply(_ step: Int) { count += step }
  }

  @Test("events are applied in order; then says exactly what they changed")
  func fold() {
    given(Counter()).when(1, 2, 3).then { $0.count = 6 }
    given(Counter()).when(1).when(2).when().then { $0.count = 3 }
    given(Counter(count: 5)).when([1, 1]).then { $0.count = 7 }
    given(Counter(count: 5)).when(1...3).then { $0.count = 11 }
  }

  @Test("without a change, nothing may have changed")
  func nothing() {
    given(Counter()).then()
    given(Counter()).when(1, -1).then()
    #expect(reports { given(Counter()).when(1).then() }.count == 1)
    #expect(reports { given(Counter()).when().then { $0.count = 1 } }.count == 1)
  }

  private struct Boat: AggregateState, Equatable {
    var course = Double.nan
    var courses = [Double.nan]
    var ticks = 0
    mutating func apply(_ step: Int) {
      ticks += step
      courses = courses.map { $0 }
    }
  }

  @Test("a state that holds NaN is as expected if its text is")
  func notANumber() {
    given(Boat()).when(1).then { $0.ticks = 1 }
    given(Boat()).when(0).then()
    #expect(
      reports { given(Boat()).when(1).then { $0.ticks = 2 } } == [
        "the state is not as expected:\n  ticks: expected 2, observed 1"
      ]
    )
    #expect(reports { given(Boat()).when(1).then { $0.course = 1 } }.count == 1)
  }

  @Test("a report is where the expectation is, and then may be followed by more")
  func location() {
    let line = #_sourceLocation.line + 1
    let issues = reportsWithLocations { given(Counter()).when(1).then { $0.count = 2 } }
    #expect(issues.map { $0.sourceLocation.line } == [line])
    given(Counter()).when(1).then { $0.count = 1 }.when(1).then { $0.count = 2 }
  }

  @Test("the start is a value: one start serves several cases")
  func value() {
    let start = given(Counter()).when(1)
    start.when(1).then { $0.count = 2 }
    start.when(2).then { $0.count = 3 }
    start.then { $0.count = 1 }
  }

  @Test("a refused event leaves the state as it was, and is told; the next one is applied")
  func rejected() {
    given(Voyage())
      .when(.wreck, .anchor(depth: 5), .speed(3), .wreck)
      .then {
        $0.phase = .underway(speed: 3)
        $0.speeds = [3]
      }
      .rejected { #expect($0.map(\.event) == ["wreck", "anchor at 5", "wreck"]) }
    given(Counter()).when(1).rejected { #expect($0.isEmpty) }
  }

  @Test("a failure says what was refused, because that is often why")
  func reportOfRefusals() {
    let reported = reports { given(Voyage()).when(.anchor(depth: 60)).then { $0.marks["anchored"] = 60 } }
    #expect(reported.count == 1)
    #expect(reported.first?.contains("marks[\"anchored\"]: expected 60, observed nothing") == true, "\(reported)")
    #expect(reported.first?.contains("anchor at 60") == true, "\(reported)")
  }

  @Test("a state may be looked at as one likes, also if it is not equatable; what the look throws comes out")
  func look() throws {
    struct Plain: AggregateState {
      var names: [String] = []
      mutating func apply(_ name: String) { names.append(name) }
    }
    given(Plain()).when("a", "b").expect { #expect($0.names == ["a", "b"]) }
    #expect(throws: Voyage.Refusal.self) {
      try given(Plain()).expect { _ in throw Voyage.Refusal(event: "look") }
    }
    #expect(throws: Voyage.Refusal.self) {
      try given(Counter()).then { _ in throw Voyage.Refusal(event: "then") }
    }
  }
}
