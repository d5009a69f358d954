import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Fields that are not a number")
struct NaNTests {
  @Test("SEL-05: a Double that stays NaN is delivered once, also if the bits differ")
  func double() {
    let aggregator = Aggregator(initial: Kinds(double: .nan))
    let double = Recorder(aggregator.select(\.double).observable)
    let closure = Recorder(aggregator.select { $0.double }.observable)

    aggregator.touch()
    aggregator.edit { $0.double = -.nan }
    aggregator.edit { $0.double = 1 }
    aggregator.touch()
    aggregator.edit { $0.double = .nan }
    aggregator.touch()

    for recorder in [double, closure] {
      #expect(recorder.values.count == 3)
      #expect(recorder.values.first?.isNaN == true)
      #expect(recorder.values.dropFirst().first == 1)
      #expect(recorder.values.last?.isNaN == true)
    }
  }

  @Test("SEL-05: so is a Float")
  func float() {
    let aggregator = Aggregator(initial: Kinds(float: .nan))
    let float = Recorder(aggregator.select(\.float).observable)

    aggregator.touch()
    aggregator.touch()

    #expect(float.values.count == 1)
  }

  @Test("SEL-05: so is an optional Double; nil, a number and NaN are three values")
  func optional() {
    let aggregator = Aggregator(initial: Kinds())
    let optional = Recorder(aggregator.select(\.optionalDouble).observable)

    for value in [nil, .nan, .nan, 2, 2, .nan, .nan, nil, nil] as [Double?] {
      aggregator.edit { $0.optionalDouble = value }
    }

    #expect(optional.values.map { $0?.description ?? "nil" } == ["nil", "nan", "2.0", "nan", "nil"])
  }

  @Test("SEL-05: a number that stays the same, zero with either sign, is delivered once")
  func numbers() {
    let aggregator = Aggregator(initial: Kinds())
    let double = Recorder(aggregator.select(\.double).observable)

    aggregator.edit { $0.double = -0.0 }
    aggregator.edit { $0.double = .infinity }
    aggregator.edit { $0.double = .infinity }

    #expect(double.values == [0, .infinity])
  }

  @Test("SEL-05: a struct that contains NaN behaves as its ==, so it is delivered at every event")
  func equatableWrapper() {
    let aggregator = Aggregator(initial: Kinds())
    let reading = Recorder(aggregator.select(\.reading).observable)

    aggregator.touch()
    aggregator.touch()
    #expect(reading.values.count == 3)

    aggregator.edit { $0.reading.value = 1 }
    aggregator.touch()
    #expect(reading.values.count == 4)
  }

  @Test("SEL-05, SEL-04: a wrapper that cannot be compared is delivered at every event, NaN or not")
  func opaqueWrapper() {
    let aggregator = Aggregator(initial: Kinds())
    let reading = Recorder(aggregator.select(\.opaqueReading).observable)

    aggregator.touch()
    aggregator.edit { $0.opaqueReading.value = 1 }
    aggregator.touch()

    #expect(reading.values.count == 4)
  }

  @Test("SEL-05: the children of a field that stays NaN are not evaluated")
  func children() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Kinds(double: .nan))
    let rounded = Recorder(
      aggregator.select(\.double).select { value -> String in
        evaluations.increment()
        return "\(value)"
      }.observable
    )
    let before = evaluations.value

    aggregator.touch()
    aggregator.touch()

    #expect(rounded.values == ["nan"])
    #expect(evaluations.value == before)
  }
}
