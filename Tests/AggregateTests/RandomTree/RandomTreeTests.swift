import AggregateTestSupport
import TestSupport
import Testing

@Suite("The tree of selections: random programs")
struct RandomTreeTests {
  private func run<Manner: RandomTree.Mode>(_ manner: Manner.Type) {
    let links = RandomTree.Catalogue<Manner>.links
    for seed in 0..<UInt64(rounds(50_000)) {
      let program = RandomTree.Program(seed: seed)
      let model = RandomTree.Model(program, refuses: Manner.refuses, links: links)
      let real = RandomTree.Real<Manner>(program)
      let noted = real.noted.entries
      if noted != model.noted {
        let index =
          zip(noted, model.noted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(noted.count, model.noted.count)
        Issue.record(
          """
          seed \(seed), entry \(index)
          real  \(noted.dropFirst(index).prefix(3))
          model \(model.noted.dropFirst(index).prefix(3))
          """
        )
        return
      }
      #expect(real.aggregator.snapshot.fields == model.fields, "seed \(seed)")
      real.tearDown()
    }
  }

  @Test("A state that is changed in place: every subscriber hears what the plain reference says, in the same order")
  func inPlace() { run(RandomTree.Willing.self) }

  @Test("A state that may refuse: the same")
  func refusing() { run(RandomTree.Picky.self) }
}
