import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Rejection")
struct RejectionTests {
  @Test("AGG-16: a state that throws half-way is rolled back, and the next event is folded as ever")
  func rollback() {
    let aggregator = Aggregator(initial: Account())

    aggregator.send(5)
    aggregator.send(-7)
    #expect(aggregator.snapshot == Account(bookings: [5], balance: 5))

    aggregator.send(1)
    #expect(aggregator.snapshot == Account(bookings: [5, 1], balance: 6))
  }

  @Test("AGG-16: the refusal is reported with its event and its typed reason")
  func report() {
    let aggregator = Aggregator(initial: Account())
    let rejections = Recorder(aggregator.rejections)

    #expect(aggregator.send(-2), "An event that is refused was accepted by the aggregator all the same.")
    aggregator.send(3)
    aggregator.send(-4)

    #expect(rejections.values.map(\.event) == [-2, -4])
    #expect(rejections.values.map(\.reason) == [.overdrawn(by: 2), .overdrawn(by: 1)])
    #expect(rejections.ends.isEmpty)
  }

  @Test("AGG-16: a refused event makes no snapshot and wakes no selection, but is one of the events")
  func noSnapshot() {
    let aggregator = Aggregator(initial: Account())
    let evaluations = Counter()
    let states = Recorder(aggregator.states)
    let events = Recorder(aggregator.events)
    let balance = Recorder(
      aggregator.select { state -> Int in
        evaluations.increment()
        return state.balance
      }.observable
    )
    let before = evaluations.value

    aggregator.send(-1)

    #expect(states.values == [Account()])
    #expect(events.values == [-1])
    #expect(balance.values == [0])
    #expect(evaluations.value == before)
  }

  @Test("AGG-16: what a rejection's subscriber sends is folded after it, and it sees the state as it was")
  func sendFromRejection() {
    let aggregator = Aggregator(initial: Account())
    let balances = Log<Int>()
    let rejections = Recorder(aggregator.rejections) { _ in
      balances.note(aggregator.snapshot.balance)
      aggregator.send(100)
    }

    aggregator.send(1)
    aggregator.send(-50)

    #expect(rejections.values.count == 1)
    #expect(balances.entries == [1])
    #expect(aggregator.snapshot.bookings == [1, 100])
  }

  @Test("A state may throw without saying what")
  func untypedThrows() {
    struct Failure: Error {}
    struct Picky: AggregateState {
      var accepted: [Int] = []

      mutating func apply(_ event: Int) throws {
        accepted.append(event)
        if event < 0 { throw Failure() }
      }
    }
    let aggregator = Aggregator(initial: Picky())
    let rejections = Recorder(aggregator.rejections)

    for event in [1, -1, 2] { aggregator.send(event) }

    #expect(aggregator.snapshot.accepted == [1, 2])
    #expect(rejections.values.count == 1)
    #expect(rejections.values.first?.reason is Failure)
  }

  @Test("A state that cannot throw never reports a rejection; the stream ends with the aggregator")
  func endOfRejections() {
    let aggregator = Aggregator(initial: Tally())
    let rejections = Recorder(aggregator.rejections)

    aggregator.send(.add(1))
    aggregator.finish()

    #expect(rejections.values.isEmpty)
    #expect(rejections.ends.count == 1)
  }

  @Test("A reducer that throws neither ends the stream nor resets the state")
  func throwingReducer() {
    let aggregator = Aggregator(initial: Account())
    let balances = Recorder(aggregator.select(\.balance).observable)

    for amount in [5, -9, 2] { aggregator.send(amount) }

    #expect(balances.values == [0, 5, 7])
    #expect(balances.ends.isEmpty)
  }
}
