import Aggregate
import Testing

@testable import RASPServices

@Suite("A reducer whose events are folded again")
struct FoldedAgainTests {
  private enum Step: Action { case next }

  @Test("REC-08: the second fold changes its state, and its side effect is dropped")
  func secondFold() async throws {
    typealias Machine = ReducerMachine<Int, Step, Void>
    let event = Machine.Event(.next)
    var state = Machine.Folded(state: 1) { state, _ in
      state += 1
      return { [state] _, _ in throw Reached(state: state) }
    }
    state.apply(event)
    var base = Machine.Folded(state: 10, reduce: state.reduce)
    base.apply(event)

    #expect(state.state == 2 && base.state == 11)
    let effect = try #require(event.effect.take() ?? nil)
    await #expect(throws: Reached(state: 2)) { try await effect({ _ in }, ()) }
  }

  private struct Reached: Error, Equatable { let state: Int }
}
