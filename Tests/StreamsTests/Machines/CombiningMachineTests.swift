import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("Machines: combining")
struct CombiningMachineTests {
  // MARK: combineLatest

  // Each test runs over the row of two inputs and over that of any number of them.

  private typealias Pair = CombineLatestMachine<Row2<Int, String>, TestError>
  private typealias Pack = CombineLatestMachine<CombinedPack<Int, String>, TestError>

  private func pair() -> MachineBench<Pair> {
    MachineBench(Pair()) { "\($0.0)\($0.1)" }
  }

  private func pack() -> MachineBench<Pack> {
    MachineBench(Pack()) { "\($0.tuple.0)\($0.tuple.1)" }
  }

  private func combine<Row: CombinedRow>(
    _ make: () -> MachineBench<CombineLatestMachine<Row, TestError>>,
    _ number: (Int) -> Row.Part,
    _ letter: (String) -> Row.Part
  ) {
    var bench = make()
    #expect(bench(.value(number(1), from: 0)) == "")
    #expect(bench(.value(number(2), from: 0)) == "")
    #expect(bench(.value(letter("a"), from: 1)) == "send 2a")
    #expect(bench(.value(letter("b"), from: 1)) == "send 2b")
    #expect(bench(.value(number(3), from: 0)) == "send 3b")
  }

  @Test("S-COMBINE-01: nothing before each input has a value, then every value with the newest of the others")
  func combine() {
    combine(pair, { .first($0) }, { .second($0) })
    combine(pack, { CombinedPack($0, at: 0) }, { CombinedPack($0, at: 1) })
  }

  private func combineEnds<Row: CombinedRow>(
    _ make: () -> MachineBench<CombineLatestMachine<Row, TestError>>,
    _ number: (Int) -> Row.Part,
    _ letter: (String) -> Row.Part
  ) {
    var bench = make()
    _ = (bench(.value(number(1), from: 0)), bench(.value(letter("a"), from: 1)))
    #expect(bench(.finished(0)) == "")
    #expect(bench(.value(letter("b"), from: 1)) == "send 1b", "the value of the input that has ended still counts")
    #expect(bench(.finished(1)) == "finish")
    bench = make()
    _ = bench(.value(number(1), from: 0))
    #expect(bench(.finished(0)) == "")
    #expect(bench(.finished(1)) == "finish")
    bench = make()
    _ = bench(.value(number(1), from: 0))
    #expect(bench(.finished(1)) == "finish", "it has sent nothing")
    for input in [0, 1] {
      bench = make()
      _ = (bench(.value(number(1), from: 0)), bench(.value(letter("a"), from: 1)))
      #expect(bench(.failed(input)) == "fail")
    }
  }

  @Test("S-COMBINE-02: the last end finishes, and an end without a value does at once")
  func combineEnds() {
    combineEnds(pair, { .first($0) }, { .second($0) })
    combineEnds(pack, { CombinedPack($0, at: 0) }, { CombinedPack($0, at: 1) })
  }

  private func places<Row: CombinedRow>(
    _ machine: CombineLatestMachine<Row, TestError>,
    _ first: (Int?) -> Row.Part,
    _ second: (Int?) -> Row.Part,
    _ text: @escaping (Row.All) -> String
  ) {
    var maybe = MachineBench(machine, text)
    #expect(maybe(.value(second(nil), from: 1)) == "")
    #expect(maybe(.value(first(1), from: 0)) == "send 1 -1")
    #expect(maybe(.value(first(nil), from: 0)) == "send -1 -1")
    #expect(maybe(.value(second(2), from: 1)) == "send -1 2")
  }

  @Test("An optional value that is nil is a value; two inputs of one type are told apart by their place")
  func places() {
    places(CombineLatestMachine<Row2<Int?, Int?>, TestError>(), { .first($0) }, { .second($0) }) {
      "\($0.0 ?? -1) \($0.1 ?? -1)"
    }
    places(
      CombineLatestMachine<CombinedPack<Int?, Int?>, TestError>(),
      { CombinedPack($0, at: 0) },
      { CombinedPack($0, at: 1) },
      { "\($0.tuple.0 ?? -1) \($0.tuple.1 ?? -1)" }
    )
  }

  @Test("An optional value that is nil passes through more than eight streams, each of a type of its own")
  func placesOfMany() {
    let maybe = Subject<Int?, Never>()
    let text = Subject<String, Never>()
    let number = Observable<Int, Never>.just(7)
    let log = Log<String>()
    let many = Observable.combineLatest(
      maybe.observable,
      number,
      number,
      number,
      text.observable,
      number,
      number,
      number,
      maybe.observable
    )
    let token = many.subscribe { log.note("\($0.0 ?? -1) \($0.3) \($0.4) \($0.8 ?? -1)") }
    maybe.send(nil)
    text.send("a")
    maybe.send(3)
    #expect(log.entries == ["-1 7 a -1", "3 7 a -1", "3 7 a 3"])
    token.cancel()
    let none = Log<StreamEnd<Never>>()
    Observable<Never, Never>.combineLatest().subscribe({ _ in }, onEnd: { none.note($0) }).cancel()
    #expect(none.entries == [.finished])
  }

  // MARK: withLatest(from:)

  @Test("S-LATEST-01: the other stream sends nothing itself, and ends it only if it never sent")
  func withLatest() {
    typealias Machine = WithLatestMachine<Int, String, TestError>
    func bench() -> MachineBench<Machine> { MachineBench(Machine()) { "\($0.0)\($0.1)" } }
    var first = bench()
    #expect(first(.value(.first(1), from: 0)) == "")
    #expect(first(.value(.second("a"), from: 1)) == "")
    #expect(first(.value(.first(2), from: 0)) == "send 2a")
    #expect(first(.value(.second("b"), from: 1)) == "")
    #expect(first(.finished(1)) == "")
    #expect(first(.value(.first(3), from: 0)) == "send 3b")
    #expect(first(.finished(0)) == "finish")
    var silent = bench()
    #expect(silent(.value(.first(1), from: 0)) == "")
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
    #expect(bench(.value(.first(1), from: 0)) == "send 1")
    #expect(bench(.finished(1)) == "")
    #expect(bench(.value(.first(2), from: 0)) == "send 2")
    #expect(bench(.finished(0)) == "finish")
    bench = MachineBench(Machine())
    #expect(bench(.value(.second(()), from: 1)) == "finish")
    bench = MachineBench(Machine())
    #expect(bench(.failed(0)) == "fail")
  }

  // MARK: concat

  @Test("S-CONCAT-01: streams wait for the one before them; the end of the outer stream waits for all of them")
  func concat() {
    var bench = ConcatBench()
    #expect(bench.arrives() == "follow 1")
    #expect(bench.arrives() == "")
    #expect(bench.arrives() == "")
    #expect(bench.finishes(1) == "follow 2")
    #expect(bench.finishes(0) == "")
    #expect(bench.finishes(2) == "follow 3")
    #expect(bench.finishes(3) == "finish")
    bench = ConcatBench()
    _ = bench.arrives()
    #expect(bench.finishes(1) == "")
    #expect(bench.arrives() == "follow 2", "none was followed, so it does not wait")
    #expect(bench.finishes(2) == "")
    #expect(bench.finishes(0) == "finish")
  }

  @Test("S-CONCAT-01: the first failure, of the outer or of an inner stream, is the end")
  func concatFails() {
    for input in [0, 1] {
      var bench = ConcatBench()
      for _ in 0..<2 { _ = bench.arrives() }
      #expect(bench.fails(input) == "fail")
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
    #expect(timed(.woken, at: 3) == "send [1, 2]")
    #expect(timed(.value(3, from: 0), at: 7) == "wake 9")
    #expect(timed(.failed(0), at: 8) == "fail")
    var both = bench(2, 3)
    #expect(both(.value(1, from: 0), at: 4) == "wake 6")
    #expect(both(.value(2, from: 0), at: 5) == "send [1, 2]")
    #expect(both(.value(3, from: 0), at: 5) == "wake 6")
    #expect(both(.woken, at: 6) == "send [3]")
    #expect(both(.finished(0), at: 7) == "finish")
    var one = bench(0, nil)
    #expect(one(.value(1, from: 0)) == "send [1]", "less than one counts as one")
  }
}

/// The machine of a concatenation and its line, and their answers as texts. The outer stream has the number 0.
private struct ConcatBench {
  private var machine = JoinMachine<Int>(.merge)
  private var line = JoinLine.State()
  private var arrived = 0
  private let followed = Log<Int>()

  init() {
    _ = machine.opened(0)
  }

  mutating func arrives() -> String {
    arrived += 1
    let stream = arrived
    #expect(machine.arrived(stream) == (stream + 1, nil))
    return text(nil, false, line.arrived { [followed] _ in followed.note(stream) })
  }

  mutating func finishes(_ input: Int) -> String {
    let ending = machine.ended(input + 1, failed: false)
    return text(ending, false, input == 0 ? nil : line.finished()?.value)
  }

  mutating func fails(_ input: Int) -> String {
    text(machine.ended(input + 1, failed: true), true, nil)
  }

  private func text(_ cancelled: [Int]?, _ failed: Bool, _ start: JoinLine.Start?) -> String {
    start?(JoinLine())
    let text = cancelled == nil ? "" : failed ? "fail" : "finish"
    return start == nil ? text : text + "follow \(followed.entries.last ?? 0)"
  }
}
