import AggregateTestSupport
import TestSupport
import Testing

@Suite("Keyed aggregators: random programs")
struct RandomRowsTests {
  private func run<Manner: RandomTree.Mode>(_ manner: Manner.Type) {
    for seed in 0..<UInt64(rounds(30_000)) {
      let program = RandomRows.Program(seed: seed)
      let real = RandomRows.Real<Manner>(program)
      let noted = real.noted.entries
      real.tearDown()
      let model = RandomRows.Model(program, refuses: Manner.refuses)
      if noted != model.noted {
        let index =
          zip(noted, model.noted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(noted.count, model.noted.count)
        Issue.record(
          """
          seed \(seed), entry \(index)
          real  \(noted.dropFirst(index).prefix(3).map { "\($0.subscriber): \($0.text)" })
          model \(model.noted.dropFirst(index).prefix(3).map { "\($0.subscriber): \($0.text)" })
          """
        )
        return
      }
      let rows = real.aggregator.rows().mapValues(\.fields.text)
      #expect(rows == model.rows.mapValues(\.fields.text), "seed \(seed)")
    }
  }

  @Test("KEY-01: rows that are changed in place: all subscribers get what the plain reference says, in the same order")
  func inPlace() { run(RandomTree.Willing.self) }

  @Test("KEY-01: rows that may refuse an event: the same")
  func refusing() { run(RandomTree.Picky.self) }
}
