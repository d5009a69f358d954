import Testing

@testable import RASPCommands

@Suite("The state of an execution, by itself")
struct ExecutionStateTests {
  private typealias State = ExecutionState<String>

  @Test("who arrives before the end waits, and is resumed once")
  func waits() {
    var state = State()
    let arrivals = [state.arrived("a"), state.arrived("b")]
    #expect(arrivals == [false, false])
    #expect(!state.isSettled)
    let first = state.settled(.published).waiters
    let second = state.settled(.published).waiters
    #expect(first == ["a", "b"])
    #expect(second.isEmpty)
  }

  @Test("who arrives after the end need not wait")
  func arrivesLate() {
    var state = State()
    _ = state.settled(.published)
    let needNotWait = state.arrived("a")
    #expect(needNotWait)
    #expect(state.publication?.isPublished == true)
    let waiters = state.settled(nil).waiters
    #expect(waiters.isEmpty)
  }

  @Test("how to cancel is known from the beginning of the task to the end, and then released")
  func cancellation() {
    let cancellation = ExecutionCancellation(begin: { true }, complete: {})
    var state = State()
    #expect(state.cancellation == nil)
    state.began(cancellation)
    #expect(state.cancellation != nil)
    let released = state.settled(nil).released
    #expect(released != nil)
    #expect(state.cancellation == nil)
    state.began(cancellation)
    #expect(state.cancellation == nil)
  }
}
