import Aggregate
import Testing

@testable import RASPTesting

@Suite("Given a recording")
struct GivenRecordingTests {
  private struct Sum: AggregateState, Equatable {
    var value = 0

    mutating func apply(_ event: Int) { value += event }
  }

  private func recording(initial: Sum?) -> Recording<Sum> {
    Recording(
      name: "sum",
      initial: initial,
      entries: (1...3).map { .init(number: $0, event: $0) },
      state: Sum(value: 7)
    )
  }

  @Test("its events are folded into its initial state, and more may follow")
  func folds() throws {
    let incident = recording(initial: Sum(value: 1))
    given(incident).then { $0.value = 7 }
    given(incident).when(3).then { $0.value = 10 }
    given(try #require(incident.state(before: 3))).when(5).then { $0.value += 5 }
  }

  @Test("a recording without an initial state is reported")
  func withoutBase() {
    let texts = reports { given(recording(initial: nil)).then() }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("has events only") == true)
  }
}
