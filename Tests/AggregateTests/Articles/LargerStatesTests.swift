import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("The article about larger states")
struct LargerStatesTests {
  private let tuner = Subject<RadioEvent, Never>()
  private let pump = Subject<Double, Never>()
  private let harbour = Aggregator(initial: HarbourState())

  private func made() -> LargerStates {
    LargerStates(tuner: tuner.observable, pump: pump.observable, harbour: harbour)
  }

  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/Aggregate/Aggregate.docc/LargerStates.md"
    #expect(try ArticleBlocks.count(in: document) == 8)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/AggregateTests/Articles") == [])
  }

  @Test("AGG-33: events of the parts are events of the whole, and a part that refuses changes nothing")
  func parts() {
    let made = made()
    let refused = Recorder(made.ship.rejections)
    tuner.send(.tune(9))
    pump.send(60)
    pump.send(60)
    #expect(made.ship.snapshot.radio.channel == 9)
    #expect(made.ship.snapshot.tank.litres == 60)
    #expect(refused.values.count == 1)
    #expect(made.line.current == "channel 9, 60.0 litres")
    #expect(made.logbook.snapshot.channels == [16, 9])
    let watch = Aggregator(initial: WatchState())
    watch.send(Rang(bells: 8))
    #expect(watch.snapshot.bells == 8)
  }

  @Test("AGG-33: a component sends and reads its part alone")
  func component() {
    let made = made()
    let channels = Log<Int>()
    let token = made.panel.channels { channels.note($0) }
    tuner.send(.tune(9))
    pump.send(1)
    made.panel.callForHelp()
    #expect(channels.entries == [16, 9, 16])
    #expect(made.panel.radio.snapshot == RadioState())
    token.cancel()
  }

  @Test("AGG-34: fields of two aggregators are the newest of each, with every pair on the way")
  func two() {
    let made = made()
    let board = Recorder(made.board)
    pump.send(50)
    harbour.send(4)
    #expect(board.values == [200, 100, 200])
    // One thing that changes both is seen half done.
    let both = made.ship.events.subscribe { [harbour] _ in harbour.send(1) }
    pump.send(10)
    #expect(board.values == [200, 100, 200, 160, 40] || board.values == [200, 100, 200, 50, 40])
    both.cancel()
  }

  @Test("AGG-34: two fields of one aggregator are never of two snapshots; combineLatest of them would be")
  func oneAggregator() {
    struct Twins: AggregateState {
      var first = 0
      var second = 0

      mutating func apply(_ event: Int) { (first, second) = (event, event) }
    }
    let twins = Aggregator(initial: Twins())
    let selector = StateSelector(combining: StateSelector(\Twins.first), StateSelector(\Twins.second)) { [$0, $1] }
    let selected = Recorder(twins.select(selector).observable)
    let combined = Recorder(
      Observable.combineLatest(twins.select(\.first).observable, twins.select(\.second).observable)
        .map { [$0.0, $0.1] }
    )
    twins.send(1)
    #expect(selected.values == [[0, 0], [1, 1]])
    #expect(combined.values == [[0, 0], [1, 0], [1, 1]])
  }

  @Test("AGG-34: two threads change two aggregators: no field goes back, and the last pair is the newest of both")
  func threads() async {
    for _ in 0..<rounds(500) {
      let (first, second) = (Aggregator(initial: HarbourState()), Aggregator(initial: HarbourState()))
      first.send(0)
      second.send(0)
      let pairs = Recorder(
        Observable.combineLatest(first.select(\.price).observable, second.select(\.price).observable)
          .map { [$0.0, $0.1] }
      )
      await Threads.run(
        { for price in 1...50 { first.send(Double(price)) } },
        { for price in 1...50 { second.send(Double(price)) } }
      )
      #expect(await eventually { pairs.values.last == [50, 50] })
      #expect(zip(pairs.values, pairs.values.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] <= $1[1] })
    }
  }
}
