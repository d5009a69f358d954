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

  private struct Opaque: Sendable {
    let length: Int
  }

  private let form = Aggregator(initial: Form())

  @Test("map keeps the current value and speaks only when its own value changes")
  func map() {
    let length = form.select(\.name).map { $0.count }
    let seen = Recorder(length.observable)
    for name in ["a", "b", "bc"] { form.send(name) }
    #expect(length.current == 2)
    #expect(seen.values == [0, 1, 2])
  }

  @Test("map to what cannot be compared speaks at each change of the selection")
  func mapToOpaque() {
    let length = form.select(\.name).map { Opaque(length: $0.count) }
    let seen = Recorder(length.observable)
    for name in ["a", "a", "b"] { form.send(name) }
    #expect(length.current.length == 1)
    #expect(seen.values.map(\.length) == [0, 1, 1])
  }

  @Test("where a stream is asked for, map sends the transform of each value")
  func mapOfStream() {
    let lengths: Observable<Int, Never> = form.select(\.name).map { $0.count }
    let seen = Recorder(lengths)
    for name in ["a", "b", "bc"] { form.send(name) }
    #expect(seen.values == [0, 1, 1, 2])
  }

  @Test("the other operators give streams")
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
