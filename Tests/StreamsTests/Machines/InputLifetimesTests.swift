import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("The lifetimes of inputs")
struct InputLifetimesTests {
  /// An end of one of two inputs, or of all of them.
  enum End: CaseIterable, Sendable {
    case input
    case other
    case parent
  }

  /// All ends by themselves, and all pairs of them in both orders.
  private static let orders = End.allCases.flatMap { first in [[first]] + End.allCases.map { [first, $0] } }

  @Test(
    "Inputs that are there from the start end one by one, and all with their parent: then nothing is left",
    arguments: orders
  )
  func parts(_ order: [End]) {
    let parent = Lifetime()
    weak var input: Lifetime?
    do {
      let inputs = [Lifetime(within: parent), Lifetime(within: parent)]
      input = inputs[0]
      for end in order {
        switch end {
        case .input: inputs[0].terminate()
        case .other: inputs[1].terminate()
        case .parent: parent.terminate()
        }
      }
      #expect(inputs[0].isActive == !(order.contains(.input) || order.contains(.parent)))
      #expect(inputs[1].isActive == !(order.contains(.other) || order.contains(.parent)))
    }
    parent.terminate()
    #expect(input == nil)
  }

  @Test("Inputs that are made when all is over have ended, and nothing keeps them")
  func late() {
    let parent = Lifetime()
    parent.terminate()
    weak var input: Lifetime?
    do {
      let inputs = [Lifetime(within: parent)]
      input = inputs[0]
      #expect(!inputs[0].isActive)
    }
    #expect(input == nil)
  }

  @Test("Of inputs that come one after the other only the present one is kept", arguments: [false, true])
  func serial(_ parentEndsFirst: Bool) {
    let parent = Lifetime()
    let other = Lifetime(within: parent)
    weak var first: Lifetime?
    weak var second: Lifetime?
    do {
      do {
        let lifetime = Lifetime(within: parent)
        first = lifetime
        #expect(lifetime.isActive)
        parent.end(lifetime)
        #expect(!lifetime.isActive)
      }
      #expect(first == nil)
      let lifetime = Lifetime(within: parent)
      second = lifetime
      #expect(lifetime.isActive && other.isActive)
      if parentEndsFirst { parent.terminate() }
      parent.end(lifetime)
      #expect(!lifetime.isActive)
    }
    #expect(second == nil)
    parent.terminate()
    #expect(!other.isActive)
  }

  @Test("Of a hundred thousand inputs that come one after the other none is left behind")
  func many() {
    let (parent, live) = (Lifetime(), LifetimeTracker())
    for _ in 0..<100_000 {
      let (input, object) = (Lifetime(within: parent), live.make())
      input.onTermination { withExtendedLifetime(object) {} }
      parent.end(input)
    }
    #expect(live.liveCount == 0)
  }
}
