import Testing

@testable import Commands

@Suite("The state of an execution, by itself")
struct ExecutionStateTests {
  private typealias State = ExecutionState<Int, String>

  @Test("who arrives before the end waits, and is resumed once")
  func waits() {
    var state = State()
    #expect(state.arrived("a") == nil)
    #expect(state.arrived("b") == nil)
    #expect(state.settled(.handled(1), .published).waiters == ["a", "b"])
    #expect(state.settled(.handled(1), .published).waiters.isEmpty)
  }

  @Test("who arrives after the end gets the outcome at once")
  func arrivesLate() {
    var state = State()
    _ = state.settled(.handled(7), .published)
    #expect(state.arrived("a")?.output == 7)
    #expect(state.settled(.handled(7), nil).waiters.isEmpty)
  }

  @Test("how to cancel is known from the beginning of the task to the end, and then released")
  func cancellation() {
    let cancellation = ExecutionCancellation(begin: { true }, complete: {})
    var state = State()
    #expect(state.cancellation == nil)
    state.began(cancellation)
    #expect(state.cancellation != nil)
    #expect(state.settled(.stopped, nil).released != nil)
    #expect(state.cancellation == nil)
    state.began(cancellation)
    #expect(state.cancellation == nil)
  }
}
