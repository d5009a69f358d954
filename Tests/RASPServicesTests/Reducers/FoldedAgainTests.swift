import Aggregate
import Testing

@testable import RASPServices

@Suite("A reducer whose events are folded again")
struct FoldedAgainTests {
  private enum Step: Action { case next }

  @Test("REC-08: the second fold changes its state, and its side effect is dropped")
  func secondFold() async throws {
    let event = Folding(Step.next)
    let (first, second) = (cell(1), cell(10))
    var (state, base) = (ReducerState(first), ReducerState(second))
    state.apply(event)
    base.apply(event)

    // Both are still referred to from here, so each fold has changed a copy.
    #expect(first.state == 1 && second.state == 10)
    let effect = try #require(event.take().effect)
    await #expect(throws: Reached(state: 2)) { try await effect() }
    #expect(event.take().effect == nil)
  }

  @Test("REC-08: a state that was kept stays as it was")
  func keptState() async throws {
    var state = ReducerState(cell(1))
    var reached: [Int] = []
    func fold(into state: inout ReducerState) async throws {
      let event = Folding(Step.next)
      state.apply(event)
      let effect = try #require(event.take().effect)
      do { try await effect() } catch let error as Reached { reached.append(error.state) }
    }
    try await fold(into: &state)
    var kept = state
    try await fold(into: &state)
    try await fold(into: &state)
    try await fold(into: &kept)
    #expect(reached == [2, 3, 4, 3])
  }

  private func cell(_ state: Int) -> TypedCell<Int, Step, Void> {
    TypedCell(state: state, context: (), send: { _ in }, watchers: []) { state, _ in
      state += 1
      return { [state] _, _ in throw Reached(state: state) }
    }
  }

  private struct Reached: Error, Equatable { let state: Int }
}
