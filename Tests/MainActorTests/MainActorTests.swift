import Aggregate
import Streams
import Testing

/// This module's default isolation is the main actor, as that of most apps: everything here belongs to it unless it
/// says otherwise, and nothing may need an annotation, cause a warning, or trap.
nonisolated struct Position: AggregateState {
  var heading = 0.0
  var fixes = 0

  mutating func apply(_ heading: Double) {
    self.heading = heading
    fixes += 1
  }
}

final class HeadingModel {
  private(set) var headings: [Double] = []
  private(set) var hasEnded = false
  private var subscription: Subscription?
  private let changes: AsyncStream<Void>.Continuation

  init(_ changes: AsyncStream<Void>.Continuation) {
    self.changes = changes
  }

  func follow(_ heading: Selection<Double>) {
    subscription = heading.receive(on: MainActor.shared).subscribe { [weak self] heading in
      self?.headings.append(heading)
      self?.changes.yield()
    } onEnd: { [weak self] _ in
      self?.hasEnded = true
      self?.changes.yield()
    }
  }

  func stop() {
    subscription = nil
  }
}

struct MainActorTests {
  @Test("a model of the main actor follows a selection that is fed from elsewhere, without a warning or a trap")
  func delivery() async {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    let position = Aggregator(initial: Position())
    let model = HeadingModel(continuation)
    model.follow(position.select(\.heading))
    await Task.detached {
      for degree in 1...100 { position.send(Double(degree)) }
      position.finish()
    }.value
    for await _ in changes where model.hasEnded { break }
    #expect(model.headings == (0...100).map(Double.init))
  }

  @Test("sending, reading and selecting work from the main actor, with closures that touch nothing of it")
  func plainUse() async {
    let position = Aggregator(initial: Position())
    let (fixes, continuation) = AsyncStream<Int>.makeStream()
    let subscription = position.select { $0.fixes }.subscribe { continuation.yield($0) }
    position.send(10)
    #expect(position.snapshot.heading == 10)
    subscription.cancel()
    continuation.finish()
    var seen: [Int] = []
    for await fix in fixes { seen.append(fix) }
    #expect(seen == [0, 1])
  }

  @Test("for await on the main actor gets the newest value and ends with the aggregator")
  func pull() async {
    var position: Aggregator<Position>? = Aggregator(initial: Position())
    let values = position?.select(\.heading).values
    position?.send(5)
    var iterator = values?.makeAsyncIterator()
    #expect(await iterator?.next() == 5)
    position = nil
    #expect(await iterator?.next() == nil)
  }

  @Test("operators take closures written on the main actor")
  func operators() async {
    let subject = Subject<Int, Never>()
    let doubled = subject.map { $0 * 2 }.filter { $0 > 2 }.scan(0) { $0 + $1 }
    var iterator = doubled.values(buffering: .unbounded).makeAsyncIterator()
    for value in 1...3 { subject.send(value) }
    #expect(await iterator.next() == 4)
    #expect(await iterator.next() == 10)
  }
}
