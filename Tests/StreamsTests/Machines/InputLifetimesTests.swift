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
      let inputs = parent.parts(2)
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
      let inputs = parent.parts(1)
      input = inputs[0]
      #expect(!inputs[0].isActive)
    }
    #expect(input == nil)
  }

  @Test("Of inputs that come one after the other only the present one is kept", arguments: [false, true])
  func serial(_ parentEndsFirst: Bool) {
    let parent = Lifetime()
    weak var serial: SerialLifetime?
    weak var first: Lifetime?
    weak var second: Lifetime?
    do {
      let made = SerialLifetime(of: parent)
      serial = made
      do {
        let lifetime = made.next()
        first = lifetime
        #expect(lifetime.isActive)
        lifetime.terminate()
      }
      let lifetime = made.next()
      second = lifetime
      #expect(first == nil)
      #expect(lifetime.isActive)
      if parentEndsFirst { parent.terminate() } else { lifetime.terminate() }
      #expect(!lifetime.isActive)
    }
    parent.terminate()
    #expect(second == nil)
    #expect(serial == nil)
  }

  @Test("An input that is added when the parent is over has ended, and nothing keeps it")
  func lateInLine() {
    let parent = Lifetime()
    weak var input: Lifetime?
    do {
      let serial = SerialLifetime(of: parent)
      parent.terminate()
      let lifetime = serial.next()
      input = lifetime
      #expect(!lifetime.isActive)
    }
    #expect(input == nil)
  }
}
