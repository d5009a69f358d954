import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// Selectors that combine others, where one input is mentioned several times, on one level or on several.
@Suite("Diamonds of selectors")
struct DiamondTests {
  struct Numbers: AggregateState {
    var first = 1
    var second = 2

    mutating func apply(_ event: WritableKeyPath<Numbers, Int> & Sendable) { self[keyPath: event] += 1 }
  }

  /// Selectors of so many levels. Each level has two, and each of them mentions both of the level below twice.
  private func diamond(depth: Int, reads: Counter, derivations: Counter) -> StateSelector<Numbers, Int> {
    var (left, right) = (
      StateSelector { (numbers: Numbers) in
        reads.increment()
        return numbers.first
      },
      StateSelector(\Numbers.second)
    )
    for level in 0..<depth {
      let (below, beside) = (left, right)
      left = StateSelector(combining: below, beside, below) { a, b, c in
        derivations.increment()
        return (a &+ 3 &* b &+ c &+ level) % 1_000_003
      }
      right = StateSelector(combining: beside, beside, below) { a, b, c in
        derivations.increment()
        return (a &+ b &- 5 &* c) % 1_000_003
      }
    }
    return left
  }

  @Test("An event reads each input once and derives each level once, however deep a diamond is")
  func depth() {
    let (reads, derivations) = (Counter(), Counter())
    let selector = diamond(depth: 12, reads: reads, derivations: derivations)
    let aggregator = Aggregator(initial: Numbers())
    let recorder = Recorder(aggregator.select(selector).observable)
    #expect(reads.value == 1)
    #expect(derivations.value == 23)
    for event in [\Numbers.first, \Numbers.second] as [WritableKeyPath<Numbers, Int> & Sendable] {
      let before = (reads.value, derivations.value)
      aggregator.send(event)
      #expect(reads.value - before.0 == 1)
      #expect(derivations.value - before.1 == 23)
    }
    #expect(recorder.values.count == 3)
    #expect(recorder.values.last == selector(aggregator.snapshot))
    let before = (reads.value, derivations.value)
    #expect(selector(aggregator.snapshot) == recorder.values.last)
    #expect(reads.value - before.0 == 1)
    #expect(derivations.value - before.1 == 23, "a read outside of a tree remembers nothing")
  }

  /// A derivation of a random graph, with what computes the same by hand.
  private struct Node: Sendable {
    let selector: StateSelector<Numbers, Int>
    let value: @Sendable (Numbers) -> Int
  }

  @Test("Random graphs give what the same computed by hand gives")
  func random() {
    for seed in 0..<UInt64(rounds(3_000)) {
      var random = SplitMix(seed: seed)
      var nodes = [
        Node(selector: StateSelector(\Numbers.first), value: { $0.first }),
        Node(selector: StateSelector(\Numbers.second), value: { $0.second }),
        Node(selector: StateSelector { $0.first % 3 }, value: { $0.first % 3 }),
        Node(selector: StateSelector(\Numbers.second, by: { $0 == $1 }), value: { $0.second }),
      ]
      for level in 0..<Int.random(in: 1...8, using: &random) {
        let inputs = (0..<3).map { _ in nodes[Int.random(in: 0..<nodes.count, using: &random)] }
        // Some levels change seldom, and what is derived from them is not derived anew then.
        let divisor = Int.random(in: 1...4, using: &random)
        let selectors = inputs.map(\.selector)
        let combined = StateSelector(combining: selectors[0], selectors[1], selectors[2]) {
          ($0 &+ 3 &* $1 &- $2 &+ level) / divisor
        }
        let values = inputs.map(\.value)
        let node = Node(
          selector: combined,
          value: { ((values[0]($0) &+ 3 &* values[1]($0) &- values[2]($0) &+ level) / divisor) }
        )
        nodes.append(node)
        if Bool.random(using: &random) {
          nodes.append(Node(selector: combined.appending { $0 % 7 }, value: { node.value($0) % 7 }))
        }
      }
      guard let top = nodes.last, let other = nodes.randomElement(using: &random) else { return }
      let aggregator = Aggregator(initial: Numbers())
      var expected = [[top.value(aggregator.snapshot)], [other.value(aggregator.snapshot)]]
      let recorders = [top, other].map { Recorder(aggregator.select($0.selector).observable) }
      for _ in 0..<20 {
        aggregator.send(Bool.random(using: &random) ? \.first : \.second)
        if Int.random(in: 0..<5, using: &random) == 0 {
          #expect(aggregator.select(top.selector).current == top.value(aggregator.snapshot), "seed \(seed)")
        }
        for (index, node) in [top, other].enumerated() {
          let value = node.value(aggregator.snapshot)
          if expected[index].last != value { expected[index].append(value) }
        }
      }
      #expect(recorders.map(\.values) == expected, "seed \(seed)")
    }
  }
}
