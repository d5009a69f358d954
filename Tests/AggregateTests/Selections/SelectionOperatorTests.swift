import Aggregate
import RASPTesting
import Streams
import Testing

@Suite("Operators of a selection")
struct SelectionOperatorTests {
  private struct Form: AggregateState {
    var name = ""

    mutating func apply(_ name: String) { self.name = name }
  }

  private let form = Aggregator(initial: Form())

  @Test("map sends the transform of each value")
  func map() {
    let seen = Recorder(form.select(\.name).map { $0.count })
    for name in ["a", "b", "bc"] { form.send(name) }
    #expect(seen.values == [0, 1, 1, 2])
  }

  @Test("other operators give streams, too")
  func operators() {
    let time = VirtualScheduler()
    let quiet = Recorder(form.select(\.name).debounce(for: .seconds(1), on: time))
    let long = Recorder(form.select(\.name).filter { $0.count > 1 })
    form.send("a")
    time.advance(by: .seconds(2))
    form.send("ab")
    #expect(quiet.values == ["a"])
    #expect(long.values == ["ab"])
  }
}
