import Aggregate
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("The article about many things of one kind")
struct KeyedAggregatesTests {
  /// What the article shows somewhere.
  private let shown = Log<String>()

  private func show(_ value: some Sendable) { shown.note("\(value)") }

  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/RASPKeyed/RASPKeyed.docc/KeyedAggregates.md"
    #expect(try ArticleBlocks.count(in: document) == 13)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/RASPKeyedTests/Articles") == [])
  }

  @Test("the rows of the article")
  func rows() {
    let source = Subject<MeterReading, Never>()
    let radio = source.observable
    let saved = ["garden": Meter(litres: 7)]

    let meters = KeyedAggregator(by: \MeterReading.meter, initial: { _ in Meter() }, sources: radio)
    meters.send(MeterReading(meter: "cellar", litres: 1_200))
    meters.insert(saved)  // many rows at once: a dictionary, or a sequence of pairs

    let readings = meters.each(\.litres).subscribe { meter, litres in show("\(meter): \(litres)") }
    let log = meters.changes.subscribe { change in
      switch change {
      case .inserted(let meter, _): show("\(meter) is new")
      case .updated: break
      case .removed(let meter, let last, let reason): show("\(meter) has gone (\(reason)) at \(last.litres)")
      }
    }
    let all = meters.rows()
    #expect(all == ["cellar": Meter(litres: 1_200), "garden": Meter(litres: 7)])
    #expect(shown.entries == ["cellar: 1200", "garden: 7", "cellar is new", "garden is new"])

    let thirsty = meters.ranked(by: \.used, first: 20)
    let board = thirsty.subscribe { rows in show(rows.map(\.key)) }
    let leaks = meters.count { $0.used > 500 }
    let names = meters.keys { $0.used > 500 }
    source.send(MeterReading(meter: "garden", litres: 607))
    #expect(thirsty.current.map(\.key) == ["garden", "cellar"])
    #expect(leaks.current == 1)
    #expect(names.current == ["garden"])
    board.cancel()
    readings.cancel()

    let cellar = meters["cellar"]
    let now = cellar.current?.litres
    let token = cellar.select(\.used).subscribe { used in show(used ?? 0) }
    meters.remove("cellar")
    #expect(now == 1_200)
    #expect(shown.entries.last == "cellar has gone (removed) at 1200" || shown.entries.last == "0")
    #expect(shown.entries.filter { $0.hasPrefix("cellar has gone") }.count == 1)
    #expect(meters.rowCount == 1)
    token.cancel()
    log.cancel()
  }

  @Test("evictions of the article")
  func variants() {
    let idle = KeyedOptions(evicting: .idle(for: .seconds(600)))
    let live = KeyedAggregator(by: \MeterReading.meter, initial: { _ in Meter() }, options: idle)
    let tooMany = KeyedOptions(evicting: .beyond(100_000))
    let newest = KeyedAggregator(by: \MeterReading.meter, initial: { _ in Meter() }, options: tooMany)
    live.send(MeterReading(meter: "a", litres: 1))
    newest.send(MeterReading(meter: "a", litres: 1))
    #expect(live.rowCount == 1 && newest.rowCount == 1)
  }

  @Test("several keyed aggregators behind a hash")
  func parts() {
    let busy = Meters()
    busy["cellar"].send(MeterReading(meter: "cellar", litres: 1200))
    let rows = busy.parts.map { $0.rows() }
    let changes = Observable.merge(busy.parts.map(\.changes))
    #expect(rows.reduce(into: [:]) { $0.merge($1) { $1 } } == ["cellar": Meter(litres: 1200)])
    let highest = Recorder(busy.highest.map { $0.map(\.value) })
    for number in 1...10 { busy["\(number)"].send(MeterReading(meter: "\(number)", litres: number)) }
    #expect(highest.values.last == [1200, 10, 9])
    #expect(Set(Recorder(changes).values.map(\.key)).count == 11)
  }

  @Test("a row is loaded when it is wanted, and what is booked meanwhile is not lost")
  func onDemand() async {
    let archive = Archive()

    let options = KeyedOptions(evicting: .beyond(10_000))
    let wallets = KeyedAggregator(by: { $0.id }, initial: { _ in Wallet() }, options: options)
    let loading = wallets.changes.subscribe { [weak wallets] change in
      guard case .inserted(let id, let wallet) = change, !wallet.isLoaded else { return }
      Task { wallets?.send(.loaded(id: id, cents: await archive.cents(of: id))) }
    }

    wallets.send(.wanted(id: "A-17"))
    let balance = wallets["A-17"].select(\.cents).subscribe { cents in show(cents ?? 0) }

    wallets.send(.booked(id: "A-17", cents: 5))
    #expect(wallets["A-17"].current == Wallet(cents: 5))
    await archive.open()
    #expect(await eventually { wallets["A-17"].current == Wallet(cents: 105, isLoaded: true) })
    #expect(await eventually { shown.entries == ["0", "5", "105"] })
    balance.cancel()
    loading.cancel()
  }

  @Test("the rows and the total of one state agree")
  func oneState() {
    let order = Aggregator(initial: OrderState())
    let tea = order.select(\.items, key: "tea").subscribe { cents in show(cents ?? 0) }
    order.send(.put(item: "tea", cents: 300))
    order.send(.put(item: "milk", cents: 100))
    order.send(.put(item: "tea", cents: 250))
    order.send(.removed(item: "tea"))
    #expect(shown.entries == ["0", "300", "250", "0"])
    #expect(order.snapshot.total == 100)
    tea.cancel()
  }
}

/// What the article calls the archive. It answers when it has been opened.
private actor Archive {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func cents(of id: String) async -> Int {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    return 100
  }

  func open() {
    isOpen = true
    for reader in waiting { reader.resume() }
    waiting = []
  }
}
