import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// The article "Testing your pipeline", whose tests run here.
@Suite("Testing your pipeline", .endsInTime)
struct TestingYourPipeline {
  struct Door: AggregateState, Equatable {
    enum Event: Sendable { case open, close, lock, unlock }

    struct Locked: Error, Equatable {}

    var isOpen = false
    var isLocked = false
    var openings = 0

    mutating func apply(_ event: Event) throws(Locked) {
      switch event {
      case .open:
        guard !isLocked else { throw Locked() }
        isOpen = true
        openings += 1
      case .close: isOpen = false
      case .lock: isLocked = true
      case .unlock: isLocked = false
      }
    }
  }

  func automaticDoor(
    opens: Observable<Void, Never>,
    on time: some Scheduler
  ) -> Aggregator<Door> {
    let closing = opens.debounce(for: .seconds(10), on: time)
    return Aggregator(initial: Door(), sources: opens.map { Door.Event.open }, closing.map { Door.Event.close })
  }

  @Test("a state")
  func state() {
    given(Door()).when(.open, .close, .open).then {
      $0.isOpen = true
      $0.openings = 2
    }
    given(Door(isLocked: true)).when(.open).rejected { #expect($0 == [Door.Locked()]) }
  }

  @Test("a chain of operators")
  func chain() {
    let marbles = Marbles()
    let presses = marbles.stream("ab---c|")
    marbles.expect(presses.throttle(for: .seconds(3), on: marbles.time), "a--b--[c|]")
  }

  @Test("an aggregator with its sources")
  func aggregator() {
    let time = VirtualScheduler()
    let sensor = Subject<Void, Never>()
    let door = automaticDoor(opens: sensor.observable, on: time)
    let states = Recorder(door.select(\.isOpen).observable, on: time)

    sensor.send(())
    time.advance(by: .seconds(6))
    sensor.send(())
    time.advance(by: .seconds(10))

    #expect(states.values == [false, true, false])
    #expect(states.records.last?.instant == .seconds(16))
    #expect(time.pending == [])  // no timer was left behind
  }

  @Test("a source that fails")
  func failing() {
    let time = VirtualScheduler()
    let tries = Recorder(
      Observable<Int, Door.Locked>.fail(Door.Locked()).retry(2, delay: .constant(.seconds(5)), on: time),
      on: time
    )
    time.run()
    #expect(tries.records.map(\.instant) == [.seconds(10)])
  }

  @Test("a stream that is awaited")
  func awaited() async {
    let counter = Subject<Int, Never>(initial: 0)
    let reader = Task { await counter.first(where: { $0 == 3 }) }
    for number in 1...3 { counter.send(number) }
    #expect(await reader.value == 3)
  }
}
