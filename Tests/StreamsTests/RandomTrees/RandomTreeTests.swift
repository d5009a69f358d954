import TestSupport
import Testing

@Suite("Trees of operators: random programs")
struct RandomTreeTests {
  @Test("S-TREE-01: a tree of operators sends, ends and releases as the plain reference does, at the same instants")
  func random() {
    for seed in 0..<UInt64(rounds(50_000)) {
      let program = RandomTree(seed: seed)
      let reference = ReferenceTree(program)
      reference.run()
      let real = RealTree(program)
      real.run()
      #expect(real.seen.entries == reference.seen, "seed \(seed) \(program)")
      // What happens at one instant inside may come in another order, because each operator has a line of its own.
      #expect(real.inside.entries.sorted() == reference.inside.sorted(), "seed \(seed) \(program)")
      #expect(real.time.pending == [], "seed \(seed)")
      #expect(real.observerCount == 0, "seed \(seed)")
    }
  }
}
