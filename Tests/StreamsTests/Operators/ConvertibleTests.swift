import RASPTesting
import Streams
import Testing

@Suite("Operators of what has a stream")
struct ConvertibleTests {
  /// A type of a user that has one stream.
  private struct Thermometer: ObservableConvertible {
    let readings: Subject<Int, Never>

    var observable: Observable<Int, Never> { readings.map { $0 * 10 } }
  }

  @Test("a subject and a type of one's own have the operators, and are inputs of operators")
  func operators() {
    let (numbers, texts, stop) = (Subject<Int, Never>(), Subject<String, Never>(), Subject<Void, Never>())
    let thermometer = Thermometer(readings: numbers)
    let merged = Recorder(numbers.filter { $0 > 1 }.merge(with: thermometer).prefix(until: stop))
    let joined = Recorder(thermometer.withLatest(from: texts).map { "\($0.0)\($0.1)" })
    let combined = Recorder(Observable.combineLatest(thermometer, texts).map { "\($0)\($1)" })
    let three = Recorder(Observable.combineLatest(numbers, texts, thermometer).map { "\($0.0)\($0.1)\($0.2)" })
    let sampled = Recorder(numbers.sample(on: stop))

    numbers.send(1)
    texts.send("a")
    numbers.send(2)
    stop.send(())
    numbers.send(3)

    #expect(merged.values == [10, 2, 20])
    #expect(merged.ends == [.finished])
    #expect(joined.values == ["20a", "30a"])
    #expect(combined.values == ["10a", "20a", "30a"])
    #expect(three.values == ["1a10", "2a10", "2a20", "3a20", "3a30"])
    #expect(sampled.values == [2])
  }

  @Test(
    "subjects are merged without a word more, also as an array; any of these has a recorder, and goes behind a stream"
  )
  func subjects() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let thermometer = Thermometer(readings: first)
    let merged = Observable.merge(first, second)
    let chained = Observable.merge(second, first).map { $0 + 1 }
    let listed = Observable.merge([first, second])
    let goingOn = first.concat(with: second)
    let recorders = [merged, chained, listed, goingOn].map { Recorder($0) }
    let (own, subject) = (Recorder(thermometer), Recorder(second))
    first.send(1)
    second.send(2)
    first.finish()
    second.send(3)
    second.finish()
    #expect(recorders.map(\.values) == [[1, 2, 3], [2, 3, 4], [1, 2, 3], [1, 3]])
    #expect(recorders.allSatisfy { $0.ends == [.finished] })
    #expect(own.values == [10] && subject.values == [2, 3])
  }
}
