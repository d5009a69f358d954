import TestSupport
import Testing

@testable import Streams

@Suite("Machines: combining")
struct CombiningMachineTests {
  // MARK: combineLatest

  private typealias Pair = CombineLatestMachine<TestError, Int, String>

  private func pair() -> MachineBench<Pair> {
    MachineBench(Pair(count: 2)) { "\($0.all.0)\($0.all.1)" }
  }

  private func number(_ value: Int) -> Pair.Event { .value(CombinedInput(value, at: 0), from: 0) }

  private func letter(_ value: String) -> Pair.Event { .value(CombinedInput(value, at: 1), from: 1) }

  @Test("S-COMBINE-01: nothing before each input has a value, then every value with the newest of the others")
  func combine() {
    var bench = pair()
    #expect(bench(number(1)) == "")
    #expect(bench(number(2)) == "")
    #expect(bench(letter("a")) == "send 2a")
    #expect(bench(letter("b")) == "send 2b")
    #expect(bench(number(3)) == "send 3b")
  }

  @Test("S-COMBINE-02: the last end finishes, and an end without a value does at once")
  func combineEnds() {
    var bench = pair()
    _ = (bench(number(1)), bench(letter("a")))
    #expect(bench(.finished(0)) == "")
    #expect(bench(letter("b")) == "send 1b", "the value of the input that has ended still counts")
    #expect(bench(.finished(1)) == "finish")
    bench = pair()
    _ = bench(number(1))
    #expect(bench(.finished(0)) == "")
    #expect(bench(.finished(1)) == "finish")
    bench = pair()
    _ = bench(number(1))
    #expect(bench(.finished(1)) == "finish", "it has sent nothing")
    for input in [0, 1] {
      bench = pair()
      _ = (bench(number(1)), bench(letter("a")))
      #expect(bench(.failed(input)) == "fail")
    }
  }

  @Test("An optional value that is nil is a value; two inputs of one type are told apart by their place")
  func places() {
    var maybe = MachineBench(CombineLatestMachine<TestError, Int?, Int?>(count: 2)) {
      "\($0.all.0 ?? -1) \($0.all.1 ?? -1)"
    }
    #expect(maybe(.value(CombinedInput(Int?.none, at: 1), from: 1)) == "")
    #expect(maybe(.value(CombinedInput(Int?.some(1), at: 0), from: 0)) == "send 1 -1")
    #expect(maybe(.value(CombinedInput(Int?.none, at: 0), from: 0)) == "send -1 -1")
    #expect(maybe(.value(CombinedInput(Int?.some(2), at: 1), from: 1)) == "send -1 2")
  }

  // MARK: withLatest(from:)

  @Test("S-LATEST-01: the other stream sends nothing itself, and ends it only if it never sent")
  func withLatest() {
    typealias Machine = WithLatestMachine<Int, String, TestError>
    func bench() -> MachineBench<Machine> { MachineBench(Machine()) { "\($0.0)\($0.1)" } }
    var first = bench()
    #expect(first(.value(.value(1), from: 0)) == "")
    #expect(first(.value(.other("a"), from: 1)) == "")
    #expect(first(.value(.value(2), from: 0)) == "send 2a")
    #expect(first(.value(.other("b"), from: 1)) == "")
    #expect(first(.finished(1)) == "")
    #expect(first(.value(.value(3), from: 0)) == "send 3b")
    #expect(first(.finished(0)) == "finish")
    var silent = bench()
    #expect(silent(.value(.value(1), from: 0)) == "")
    #expect(silent(.finished(1)) == "finish")
    var failing = bench()
    #expect(failing(.failed(1)) == "fail")
    failing = bench()
    #expect(failing(.failed(0)) == "fail")
  }

  // MARK: prefix(until:)

  @Test("S-UNTIL-01: the first stop finishes, the end of the stopping stream ends nothing")
  func prefixUntil() {
    typealias Machine = PrefixUntilMachine<Int, TestError>
    var bench = MachineBench(Machine())
    #expect(bench(.value(.value(1), from: 0)) == "send 1")
    #expect(bench(.finished(1)) == "")
    #expect(bench(.value(.value(2), from: 0)) == "send 2")
    #expect(bench(.finished(0)) == "finish")
    bench = MachineBench(Machine())
    #expect(bench(.value(.stop, from: 1)) == "finish")
    bench = MachineBench(Machine())
    #expect(bench(.failed(0)) == "fail")
  }

  // MARK: concat

  private typealias Concat = ConcatMachine<Int, TestError>

  @Test("S-CONCAT-01: streams wait for the one before them; the end of the outer stream waits for all of them")
  func concat() {
    var bench = MachineBench(Concat())
    let stream: Concat.Event = .value(.stream(.never), from: Concat.outer)
    #expect(bench(stream) == "follow 1")
    #expect(bench(stream) == "")
    #expect(bench(stream) == "")
    #expect(bench(.value(.value(7), from: 1)) == "send 7")
    #expect(bench(.finished(1)) == "follow 2")
    #expect(bench(.finished(Concat.outer)) == "")
    #expect(bench(.finished(2)) == "follow 3")
    #expect(bench(.finished(3)) == "finish")
    bench = MachineBench(Concat())
    _ = bench(stream)
    #expect(bench(.finished(1)) == "")
    #expect(bench(stream) == "follow 2", "none was followed, so it does not wait")
    #expect(bench(.finished(2)) == "")
    #expect(bench(.finished(Concat.outer)) == "finish")
  }

  @Test("S-CONCAT-01: the first failure, of the outer or of an inner stream, is the end")
  func concatFails() {
    for input in [Concat.outer, 1] {
      var bench = MachineBench(Concat())
      for _ in 0..<2 { _ = bench(.value(.stream(.never), from: Concat.outer)) }
      #expect(bench(.failed(input)) == "fail")
    }
  }

  // MARK: buffer

  @Test("S-BUFFER-01: full arrays, the end of a period while something waits, and what is left at the end")
  func buffer() {
    typealias Machine = BufferMachine<Int, TestError>
    func bench(_ count: Int?, _ period: Int?) -> MachineBench<Machine> {
      MachineBench(Machine(count: count, period: period.map { .seconds($0) }, now: .zero))
    }
    var counting = bench(2, nil)
    #expect(counting(.value(1, from: 0)) == "")
    #expect(counting(.value(2, from: 0)) == "send [1, 2]")
    #expect(counting(.value(3, from: 0)) == "")
    #expect(counting(.finished(0)) == "send [3], finish")
    var timed = bench(nil, 3)
    #expect(timed.machine.wakeAt == nil)
    #expect(timed(.value(1, from: 0), at: 1) == "wake 3")
    #expect(timed(.value(2, from: 0), at: 2) == "wake 3")
    #expect(timed(.woken(generation: 0), at: 3) == "send [1, 2]")
    #expect(timed(.value(3, from: 0), at: 7) == "wake 9")
    #expect(timed(.failed(0), at: 8) == "fail")
    var both = bench(2, 3)
    #expect(both(.value(1, from: 0), at: 4) == "wake 6")
    #expect(both(.value(2, from: 0), at: 5) == "send [1, 2]")
    #expect(both(.value(3, from: 0), at: 5) == "wake 6")
    #expect(both(.woken(generation: 0), at: 6) == "send [3]")
    #expect(both(.finished(0), at: 7) == "finish")
    var one = bench(0, nil)
    #expect(one(.value(1, from: 0)) == "send [1]", "less than one counts as one")
  }
}
