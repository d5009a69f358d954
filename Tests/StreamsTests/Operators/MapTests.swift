import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("map, compactMap, filter")
struct MapTests {
  @Test("S-MAP-01: the transform runs once per value per subscription and keeps order; ends pass")
  func once() {
    let subject = Subject<Int, TestError>()
    let calls = Log<Int>()
    let stream = subject.map { value in
      calls.note(value)
      return "\(value)"
    }
    let first = Recorder(stream)
    let second = Recorder(stream)
    subject.send(1)
    subject.send(2)
    #expect(calls.entries == [1, 1, 2, 2])
    subject.finish()
    #expect(first.values == ["1", "2"] && first.ends == [.finished])
    #expect(second.values == ["1", "2"] && second.ends == [.finished])
    #expect(calls.count == 4)
  }

  @Test("S-MAP-01: failure passes through, and the transform is not asked about it")
  func failure() {
    let subject = Subject<Int, TestError>()
    let recorder = Recorder(subject.map { $0 * 2 }.filter { $0 > 2 }.compactMap { $0 })
    subject.send(1)
    subject.send(2)
    subject.fail(TestError(code: 1))
    #expect(recorder.values == [4])
    #expect(recorder.ends == [.failed(TestError(code: 1))])
  }

  @Test("S-MAP-02: a throwing transform ends the stream there; the second transform is not called for it")
  func throwing() {
    let subject = Subject<Int, TestError>()
    let firstCalls = Counter()
    let second = Log<Int>()
    let recorder = Recorder(
      subject.observable
        .map { value throws(TestError) in
          firstCalls.increment()
          if value == 2 { throw TestError(code: value) }
          return value
        }
        .map { value in
          second.note(value)
          return value
        }
    )
    for value in 1...4 { subject.send(value) }
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.failed(TestError(code: 2))])
    #expect(firstCalls.value == 2)
    #expect(second.entries == [1])
    #expect(subject.observerCount == 0)
  }

  @Test("compactMap and filter drop what they should, and end where they throw")
  func dropping() {
    #expect(Recorder(Observable(["1", "x", "3"]).compactMap { Int($0) }).values == [1, 3])
    #expect(Recorder(Observable(1...4).filter { $0.isMultiple(of: 2) }).values == [2, 4])
    let numbers = Observable(1...9).setFailureType(to: TestError.self)
    let compacted = Recorder(
      numbers.compactMap { value throws(TestError) -> Int? in
        if value == 4 { throw TestError(code: 4) }
        return value == 2 ? nil : value
      }
    )
    #expect(compacted.values == [1, 3] && compacted.ends == [.failed(TestError(code: 4))])
    let filtered = Recorder(
      numbers.filter { value throws(TestError) in
        if value == 4 { throw TestError(code: 4) }
        return value != 2
      }
    )
    #expect(filtered.values == [1, 3] && filtered.ends == [.failed(TestError(code: 4))])
  }

  @Test("A transform may itself produce an optional or a stream")
  func nesting() {
    let optionals = Recorder(Observable([1, 2]).map { $0 == 1 ? nil : Int?.some($0) })
    #expect(optionals.values == [nil, 2])
    let doubled = Recorder(Observable([1, 2]).compactMap { Int??.some($0 == 1 ? nil : $0) })
    #expect(doubled.values == [nil, 2], "only the outer level is unwrapped")
  }
}
