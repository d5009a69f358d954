import TestSupport
import Testing

@testable import Streams

@Suite("StageInputs")
struct StageInputsTests {
  /// An end of the inputs of a stage, or of one of them.
  enum End: CaseIterable, Sendable {
    case input
    case parent
    case stage
    /// A machine takes the input out and cancels it.
    case replaced
  }

  /// All ends by themselves, and all pairs of them in both orders.
  private static let orders = End.allCases.flatMap { first in [[first]] + End.allCases.map { [first, $0] } }

  @Test(
    "The inputs and their lifetimes refer to each other until one of them ends: then nothing is left",
    arguments: orders
  )
  func cycle(_ order: [End]) {
    let parent = Lifetime()
    weak var inputs: StageInputs?
    weak var input: Lifetime?
    do {
      let made = StageInputs(of: parent)
      let lifetime = made.add(0)
      (inputs, input) = (made, lifetime)
      for end in order {
        switch end {
        case .input: lifetime.terminate()
        case .parent: parent.terminate()
        case .stage: made.cancelAll()
        case .replaced: made.remove(0)?.terminate()
        }
      }
      #expect(!lifetime.isActive)
    }
    #expect(input == nil)
    parent.terminate()
    #expect(inputs == nil)
  }

  @Test("An input that is added when the stage is over has ended, and nothing keeps it")
  func late() {
    let parent = Lifetime()
    weak var input: Lifetime?
    do {
      let inputs = StageInputs(of: parent)
      parent.terminate()
      let lifetime = inputs.add(0)
      input = lifetime
      #expect(!lifetime.isActive)
    }
    #expect(input == nil)
  }
}
