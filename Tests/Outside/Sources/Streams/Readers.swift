import Aggregate
import RASPKeyed
import Streams

// What these programs say of the package in other words than their own.
private typealias Rows = KeyedAggregator<Int, Readers.Reading>

extension Rows {
  fileprivate static var readings: Rows { Rows(by: { $0 / 1_000 }, initial: { _ in Readers.Reading() }) }
  fileprivate func newestValues(of keys: [Int]) -> NewestByKey<Int, Int?> { newest(of: keys, \.value) }
}

/// Tasks that read streams more slowly than values come, are woken by ends and cancelled; and a task as a source: what
/// is kept, what is dropped, and how much of it.
struct Readers: Sendable {
  struct Reading: AggregateState {
    var value = 0

    mutating func apply(_ event: Int) { value = event % 1_000 }
  }

  let stage: Timed
  let subject = Subject<Int, Fault>()

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    await Timed.run(numbers, transcript) { await Readers(stage: $0).run() }
  }

  private func run() async {
    let (numbers, newest, rows) = (stage.numbers, Aggregator(initial: Reading()), Rows.readings)
    let policies: [BufferingPolicy] = [.unbounded, .newest(numbers.within(1...3)), .oldest(numbers.within(1...3))]
    let buffers = policies.map { subject.values(buffering: $0) }
    let tasks =
      buffers.enumerated().map { index, values in read(values, as: "values \(index)") } + [
        read(newest.select(\.value).values, as: "newest"), read(rows.newestValues(of: [0, 1, 2]), as: "rows"), first(),
        read(produced().values(buffering: .unbounded), as: "produced"),
      ]
    for number in 1...numbers.within(5...30) {
      await stage.time.run(for: stage.span(1_000_000))
      switch numbers.below(4) {
      case 0: newest.send(number)
      case 1: rows.send(numbers.below(3) * 1_000 + number)
      case 2: subject.send(contentsOf: [number, -number])
      default: subject.send(number)
      }
      if numbers.once(in: 12) { numbers.pick(tasks).cancel() }
    }
    if numbers.once(in: 2) { subject.finish() } else { subject.fail(Fault(code: 5)) }
    newest.finish()
    rows.finish()
    await stage.time.run(for: .seconds(1))
    stage.note("dropped \(buffers.map(\.droppedCount)), observers \(subject.observerCount)", by: "end")
  }

  /// Reads all values, and rests after each.
  private func read<Values: AsyncSequence & Sendable>(_ values: Values, as name: String) -> Task<Void, Never>
  where Values.Element: Sendable {
    let rests = stage.numbers.list(32) { stage.numbers.once(in: 3) ? Duration.zero : stage.span(3_000_000) }
    return stage.task {
      let count = Box(0)
      do {
        for try await value in values {
          stage.note("\(value)", by: name)
          try await stage.sleep(rests[count.next() % rests.count])
        }
        stage.note("end", by: name)
      } catch {
        stage.note(Fault.text(error), by: name)
      }
    }
  }

  private func first() -> Task<Void, Never> {
    let (wanted, limit) = (stage.numbers.below(30), stage.span(20_000_000))
    return stage.task {
      do throws(Fault) {
        let value = try await subject.first(where: { $0 >= wanted }, within: limit, on: stage.time)
        stage.note("\(value ?? -1)", by: "first")
      } catch {
        stage.note(Fault.text(error), by: "first")
      }
    }
  }

  /// A task that sends, and waits until what it has sent is handled.
  private func produced() -> Observable<Int, Fault> {
    let (pauses, fails) = (
      stage.numbers.list(stage.numbers.below(8)) { stage.span(2_000_000) }, stage.numbers.once(in: 2)
    )
    return Observable { (producer: AsyncProducer<Int, Fault>) async throws(Fault) in
      for (index, pause) in pauses.enumerated() {
        try? await stage.sleep(pause)
        guard await producer.send(1_000 + index) else { return }
      }
      if fails { throw Fault(code: 6) }
    }
  }
}
