import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import Testing

/// That these compile without annotations is half of what they show.
@Suite("Ways to say what to select")
struct OverloadTests {
  @Test("Optionals, arrays, dictionaries, computed properties, subscripts, tuple elements: by key path")
  func keyPaths() {
    let aggregator = Aggregator(initial: Kinds(number: 2))
    let optional = Recorder(aggregator.select(\.optional).observable)
    let array = Recorder(aggregator.select(\.array).observable)
    let dictionary = Recorder(aggregator.select(\.dictionary).observable)
    let doubled = Recorder(aggregator.select(\.doubled).observable)
    let chained = Recorder(aggregator.select(\.array.first?.count).observable)
    let key = Recorder(aggregator.select(\.dictionary["a"]).observable)
    let element = Recorder(aggregator.select(\.pair.1).observable)

    aggregator.touch()
    aggregator.edit { state in
      state.number = 3
      state.optional = 1
      state.array = ["abc"]
      state.dictionary = ["a": 1]
      state.pair.1 = "x"
    }

    #expect(optional.values == [nil, 1])
    #expect(array.values == [[], ["abc"]])
    #expect(dictionary.values == [[:], ["a": 1]])
    #expect(doubled.values == [4, 6])
    #expect(chained.values == [nil, 3])
    #expect(key.values == [nil, 1])
    #expect(element.values == ["", "x"])
  }

  @Test("The same by closure, with one expression or several statements, tuples included")
  func closures() {
    let aggregator = Aggregator(initial: Kinds(number: 2))
    let optional = Recorder(aggregator.select { $0.optional }.observable)
    let array = Recorder(aggregator.select { $0.array.map(\.count) }.observable)
    let sentence = Recorder(
      aggregator.select { state in
        let words = state.array.joined(separator: " ")
        return words.isEmpty ? "nothing" : words
      }.observable
    )
    let pair = Recorder(aggregator.select { ($0.number, $0.optional) }.observable)
    let opaque = Recorder(aggregator.select { $0.opaque }.observable)
    let comparedPair = Recorder(aggregator.select({ ($0.number, $0.array.count) }, by: ==).observable)

    aggregator.touch()
    aggregator.edit { $0.array = ["abc", "d"] }

    #expect(optional.values == [nil])
    #expect(array.values == [[], [3, 1]])
    #expect(sentence.values == ["nothing", "abc d"])
    #expect(pair.values.count == 3)
    #expect(opaque.values.count == 3)
    #expect(comparedPair.values.map { "\($0)" } == ["(2, 0)", "(2, 2)"])
  }

  @Test("Selectors written in place, key paths kept in variables, and comparisons as operators")
  func selectorsInPlace() {
    let aggregator = Aggregator(initial: Kinds())
    let path: any KeyPath<Kinds, Int> & Sendable = \.number
    let kept = Recorder(aggregator.select(path).observable)
    let inPlace = Recorder(aggregator.select(StateSelector(\.number)).observable)
    let compared = Recorder(aggregator.select(\.inner, by: ==).observable)
    let identity = Recorder(aggregator.select(\.reference) { $0 === $1 }.observable)
    let own = Recorder(aggregator.select(\.pair) { $0.0 == $1.0 }.observable)

    aggregator.touch()
    aggregator.edit { $0.number = 1 }

    #expect(kept.values == [0, 1])
    #expect(inPlace.values == [0, 1])
    #expect(compared.values.count == 1)
    #expect(identity.values.count == 1)
    #expect(own.values.count == 1)
  }

  /// Here the compiler does not know whether the field can be compared.
  private func recordAny<State, Field: Sendable>(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    of aggregator: Aggregator<State>
  ) -> Recorder<Field, Never> {
    Recorder(aggregator.select(keyPath).observable)
  }

  private func recordEquatable<State, Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    of source: some Selectable<State>
  ) -> Recorder<Field, Never> {
    Recorder(source.select(keyPath).observable)
  }

  @Test("In a generic context the constraints decide: comparable fields are compared")
  func generic() {
    let aggregator = Aggregator(initial: Tally())
    let count = recordEquatable(\.count, of: aggregator)
    let length = recordEquatable(\.count, of: aggregator.select(\.name))

    aggregator.send(.rename("ab"))
    aggregator.send(.nothing)

    #expect(count.values == [0])
    #expect(length.values == [0, 2])
  }

  @Test(
    "SEL-02, SEL-04: who compares and who does not can share a key path, and neither gets what the other wants",
    arguments: [false, true]
  )
  func mixed(comparableFirst: Bool) {
    let aggregator = Aggregator(initial: Tally())
    let early =
      comparableFirst ? recordEquatable(\.count, of: aggregator) : recordAny(\.count, of: aggregator)
    let late = comparableFirst ? recordAny(\.count, of: aggregator) : recordEquatable(\.count, of: aggregator)
    let (comparable, incomparable) = comparableFirst ? (early, late) : (late, early)

    aggregator.send(.nothing)
    aggregator.send(.add(1))
    aggregator.send(.nothing)

    #expect(comparable.values == [0, 1])
    #expect(incomparable.values == [0, 0, 1, 1])
  }

  @Test("Everything can be called on the main actor; callbacks that go back there say so")
  @MainActor
  func mainActor() async {
    let aggregator = Aggregator(initial: Tally(), sources: Observable([.add(1)]))
    let shown = Latch()
    let view = View()
    let token = aggregator.select(\.count).subscribe { count in
      Task { @MainActor in
        view.text = "\(count)"
        if count == 2 { shown.open() }
      }
    }
    defer { token.cancel() }

    aggregator.send(.add(1))
    await shown.wait()

    #expect(["1", "2"].contains(view.text))
    #expect(aggregator.snapshot.count == 2)
  }

  @MainActor
  private final class View {
    var text = ""
  }

  @Test("Optionals and arrays can be selected: Equatable is enough, and not even that is needed")
  func optionalsAndArrays() {
    let aggregator = Aggregator(initial: Kinds())
    let optional = Recorder(aggregator.select(\.optional).observable)
    let array = Recorder(aggregator.select(\.array).observable)
    let opaque = Recorder(aggregator.select(\.opaque).observable)

    aggregator.edit { $0.optional = 1 }
    aggregator.edit { $0.array.append("a") }

    #expect(optional.values == [nil, 1])
    #expect(array.values == [[], ["a"]])
    #expect(opaque.values.count == 3)
  }
}
