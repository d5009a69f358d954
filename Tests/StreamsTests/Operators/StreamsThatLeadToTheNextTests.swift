import RASPTesting
import Streams
import TestSupport
import Testing

/// A way in which a stream goes on with the next one by recursion.
enum Recursion: String, CaseIterable, Sendable {
  case concat, prepend, merge, `catch`
  /// All of them in turns.
  case mixed
}

/// The pages of a list, each of which leads to the next one.
private struct Pages: Sendable {
  typealias Page = Observable<Int, TestError>

  let recursion: Recursion
  let count: Int
  /// The stream of one page: its number, now or later.
  let one: @Sendable (Int) -> Page
  /// Whether the pages send nothing.
  var areSilent = false
  /// What comes behind the last page.
  var end = Page.empty
  /// One object for each page whose stream is alive.
  let alive = LifetimeTracker()

  init(_ recursion: Recursion, _ count: Int, one: @escaping @Sendable (Int) -> Page) {
    (self.recursion, self.count, self.one) = (recursion, count, one)
  }

  /// Pages that are there at once, or each a second after it was subscribed to.
  init(_ recursion: Recursion, _ count: Int, on time: VirtualScheduler?) {
    self.init(recursion, count) { number in
      guard let time else { return .just(number) }
      return Observable.timer(after: .seconds(1), on: time).map { number }.setFailureType(to: TestError.self)
    }
  }

  func stream(from number: Int = 1) -> Page {
    if number > count { return end }
    let object = alive.make()
    let page = one(number).filter { _ in
      withExtendedLifetime(object) {}
      return true
    }
    let next = Page.deferred { stream(from: number + 1) }
    let shown = areSilent ? [] : [number]
    let turns = Recursion.allCases.filter { $0 != .mixed }
    switch recursion == .mixed ? turns[number % turns.count] : recursion {
    case .concat: return .concat(areSilent ? page.filter { _ in false } : page, next)
    case .merge: return .merge(areSilent ? page.filter { _ in false } : page, next)
    case .catch: return page.filter { _ in !areSilent }.concat(with: Observable.fail(TestError())).catch { _ in next }
    case .prepend, .mixed: return next.prepend(shown)
    }
  }
}

@Suite("Streams that lead to the next one", .endsInTime)
struct StreamsThatLeadToTheNextTests {
  /// So many filled the stack five times in a debug build, and ten times in an optimised one.
  private static let count = max(20_000, rounds(100_000))

  @Test("Very many pages, there at once or later: in order, and then the end", arguments: Recursion.allCases)
  func pages(_ recursion: Recursion) {
    for time in [nil, VirtualScheduler()] {
      let pages = Pages(recursion, Self.count, on: time)
      let mostAlive = Counter()
      let recorder = Recorder(pages.stream()) { event in
        guard case .value(let value) = event, value.isMultiple(of: 1_000) else { return }
        mostAlive.increment(by: max(0, pages.alive.liveCount - mostAlive.value))
      }
      time?.run()
      #expect(recorder.values.elementsEqual(1...Self.count))
      #expect(recorder.ends == [.finished])
      // All pages of a merge are waited for at once.
      if time == nil || recursion != .merge { #expect(mostAlive.value < 100) }
      #expect(pages.alive.liveCount == 0)
    }
  }

  @Test("Very many pages without a value: nothing is left of those before", arguments: Recursion.allCases)
  func silent(_ recursion: Recursion) {
    for time in [nil, VirtualScheduler()] {
      let mostAlive = Counter()
      let alive = Box<LifetimeTracker>()
      var pages = Pages(recursion, Self.count) { number in
        if number.isMultiple(of: 1_000) {
          mostAlive.increment(by: max(0, (alive.value?.liveCount ?? 0) - mostAlive.value))
        }
        guard let time else { return .just(number) }
        return Observable.timer(after: .seconds(1), on: time).map { number }.setFailureType(to: TestError.self)
      }
      pages.areSilent = true
      alive.value = pages.alive
      let recorder = Recorder(pages.stream())
      time?.run()
      #expect(recorder.values.isEmpty)
      #expect(recorder.ends == [.finished])
      if time == nil || recursion != .merge { #expect(mostAlive.value < 100) }
      #expect(pages.alive.liveCount == 0)
    }
  }

  @Test("Very many pages that tasks fetch", arguments: [Recursion.concat, .catch])
  func tasks(_ recursion: Recursion) async {
    let pages = Pages(recursion, Self.count) { number in .task { number } }
    let (seen, ended) = (Log<Int>(), Latch())
    let subscription = pages.stream().subscribe {
      seen.note($0)
    } onEnd: { _ in
      ended.open()
    }
    await ended.wait()
    #expect(seen.entries.elementsEqual(1...Self.count))
    withExtendedLifetime(subscription) {}
  }

  @Test("A failure behind the last page comes behind all values", arguments: Recursion.allCases)
  func failure(_ recursion: Recursion) {
    for isAtOnce in [true, false] {
      let time = VirtualScheduler()
      var pages = Pages(recursion, 1_000, on: isAtOnce ? nil : time)
      pages.end = Observable.timer(after: .seconds(2_000), on: time).setFailureType(to: TestError.self)
        .map { _ throws(TestError) -> Int in throw TestError(code: 7) }
      let recorder = Recorder(pages.stream())
      time.run()
      #expect(recorder.values.elementsEqual(1...1_000))
      #expect(recorder.ends == [.failed(TestError(code: 7))])
      #expect(pages.alive.liveCount == 0)
      #expect(time.pending == [])
    }
  }

  @Test(
    "Cancelling in the middle is the end of all pages, inside of a callback and outside",
    arguments: Recursion.allCases
  )
  func cancel(_ recursion: Recursion) {
    for isAtOnce in [true, false] {
      let time = VirtualScheduler()
      let pages = Pages(recursion, 2_000, on: isAtOnce ? nil : time)
      let inside = Recorder(pages.stream().prefix(1_000))
      time.run()
      #expect(inside.values.elementsEqual(1...1_000))
      #expect(inside.ends == [.finished])
      #expect(pages.alive.liveCount == 0)
      #expect(time.pending == [])
      let outside = Recorder(pages.stream())
      time.advance(by: .seconds(500))
      outside.cancel()
      let count = outside.values.count
      time.run()
      #expect(outside.values.count == count)
      #expect(pages.alive.liveCount == 0)
    }
  }

  @Test("The stream behind a failure may be followed on another thread while its source still subscribes")
  func catchOnThreads() async {
    for _ in 0..<rounds(2_000) {
      let (first, second) = (Subject<Int, TestError>(), Subject<Int, Never>(initial: 2))
      let isSubscribing = Flag()
      let stream = Observable<Int, TestError> { producer in
        let subscription = first.subscribe {
          producer.send($0)
        } onEnd: { _ in
          producer.fail(TestError())
        }
        producer.onTermination { subscription.cancel() }
        isSubscribing.raise()
      }
      let recorder = Box<Recorder<Int, Never>>()
      await Threads.run(
        { recorder.value = Recorder(stream.catch { _ in second.observable }) },
        {
          _ = isSubscribing.wait()
          first.send(1)
          first.fail(TestError())
          second.finish()
        }
      )
      #expect(await eventually { recorder.value?.ends == [.finished] })
      #expect(recorder.value?.values == [1, 2])
    }
  }

  // MARK: Random trees

  /// A stream that joins others, and may be deep.
  private indirect enum Tree {
    case values([Int])
    case failure(Int)
    case concat([Tree]), merge([Tree])
    case concatStreams([Tree], Int?), mergeStreams([Tree], Int?), latest([Tree], Int?)
    case replaced(Tree, by: Tree)
    case prepended([Int], Tree)
    case deferred(Tree)

    /// - Parameter depth: the number of joins around the last stream.
    init(depth: Int, _ numbers: inout SplitMix) {
      func values() -> [Int] {
        (0..<Int.random(in: 0...2, using: &numbers)).map { _ in Int.random(in: 0..<100, using: &numbers) }
      }
      guard depth > 0 else {
        self =
          Int.random(in: 0..<30, using: &numbers) == 0
          ? .failure(Int.random(in: 1...9, using: &numbers)) : .values(values())
        return
      }
      // Now and then another one than the last is deep.
      var inputs = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
        Tree(depth: Int.random(in: 0..<8, using: &numbers) == 0 ? depth / 4 : 0, &numbers)
      }
      inputs.append(Tree(depth: depth - 1, &numbers))
      let failure = Int.random(in: 0..<40, using: &numbers) == 0 ? 10 : nil
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0: self = .concat(inputs)
      case 1: self = .merge(inputs)
      case 2: self = .concatStreams(inputs, failure)
      case 3: self = .mergeStreams(inputs, failure)
      case 4: self = .latest(inputs, failure)
      case 5: self = .replaced(.concat([inputs[0], .failure(1)]), by: inputs[inputs.count - 1])
      case 6: self = .prepended(values(), inputs[inputs.count - 1])
      default: self = .deferred(inputs[inputs.count - 1])
      }
    }

    /// All values, and the failure at the end. With streams that send at once, all joins do the same.
    var events: (values: [Int], failure: Int?) {
      switch self {
      case .values(let values): return (values, nil)
      case .failure(let code): return ([], code)
      case .concat(let trees), .merge(let trees): return Self.events(trees, nil)
      case .concatStreams(let trees, let failure), .mergeStreams(let trees, let failure),
        .latest(let trees, let failure):
        return Self.events(trees, failure)
      case .replaced(let tree, let other):
        let (first, second) = (tree.events, other.events)
        return first.failure == nil ? first : (first.values + second.values, second.failure)
      case .prepended(let values, let tree): return (values + tree.events.values, tree.events.failure)
      case .deferred(let tree): return tree.events
      }
    }

    private static func events(_ trees: [Tree], _ failure: Int?) -> (values: [Int], failure: Int?) {
      var values: [Int] = []
      for tree in trees {
        let events = tree.events
        values += events.values
        if events.failure != nil { return (values, events.failure) }
      }
      return (values, failure)
    }

    var stream: Observable<Int, TestError> {
      switch self {
      case .values(let values): Observable(values).setFailureType(to: TestError.self)
      case .failure(let code): .fail(TestError(code: code))
      case .concat(let trees): .concat(trees.map(\.stream))
      case .merge(let trees): .merge(trees.map(\.stream))
      case .concatStreams(let trees, let failure): Self.streams(trees, failure).concat()
      case .mergeStreams(let trees, let failure): Self.streams(trees, failure).merge()
      case .latest(let trees, let failure): Self.streams(trees, failure).switchToLatest()
      case .replaced(let tree, let other): tree.stream.catch { [stream = other.stream] _ in stream }
      case .prepended(let values, let tree): tree.stream.prepend(values)
      case .deferred(let tree): .deferred { [stream = tree.stream] in stream }
      }
    }

    private static func streams(
      _ trees: [Tree],
      _ failure: Int?
    ) -> Observable<Observable<Int, TestError>, TestError> {
      let streams = Observable(trees.map(\.stream)).setFailureType(to: TestError.self)
      return failure.map { streams.concat(with: Observable.fail(TestError(code: $0))) } ?? streams
    }
  }

  @Test("Random trees of joins whose streams send at once: the values and the end of a plain list")
  func randomTrees() {
    for seed in 0..<UInt64(rounds(3_000)) {
      var numbers = SplitMix(seed: seed)
      let tree = Tree(depth: Int.random(in: 1...120, using: &numbers), &numbers)
      let recorder = Recorder(tree.stream)
      let (values, failure) = tree.events
      #expect(recorder.values == values, "seed \(seed)")
      #expect(recorder.ends == [failure.map { .failed(TestError(code: $0)) } ?? .finished], "seed \(seed)")
      let count = Int.random(in: 0...max(1, values.count), using: &numbers)
      let some = Recorder(tree.stream.prefix(count))
      #expect(some.values == Array(values.prefix(count)), "seed \(seed)")
      #expect(some.ends.count == 1, "seed \(seed)")
    }
  }

  // MARK: Threads

  @Test("Joins that go while values are on their way: each source in order, one delivery at a time, one end")
  func threads() async {
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      let sources = (0..<4).map { _ in Subject<Int, Never>() }
      // The last source is inside of all joins; those around it go when the other sources end.
      var stream = sources[3].observable
      for source in sources[..<3].shuffled(using: &numbers) {
        let (inner, other) = (stream, source.observable)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: stream = .merge(other, inner)
        case 1: stream = Observable([other, inner]).merge()
        case 2: stream = Observable([other.merge(with: inner)]).switchToLatest()
        default: stream = .concat(.merge(inner, other), .empty)
        }
      }
      let (inside, overlaps) = (Counter(), Counter())
      let recorder = Recorder(
        stream.map { value in
          if inside.increment() != 1 { overlaps.increment() }
          defer { inside.decrement() }
          return value
        }
      )
      await Threads.run(count: 4) { index in
        for value in 0..<(index == 3 ? 200 : 50) { sources[index].send(index * 1_000 + value) }
        sources[index].finish()
      }
      #expect(await eventually { recorder.ends == [.finished] }, "seed \(seed)")
      #expect(overlaps.value == 0)
      for index in 0..<4 {
        let expected = (0..<(index == 3 ? 200 : 50)).map { index * 1_000 + $0 }
        #expect(recorder.values.filter { $0 / 1_000 == index } == expected, "seed \(seed)")
      }
    }
  }
}
