import Aggregate
import Observation
import RASPKeyed
import RASPObservation
import RASPTesting
import TestSupport
import Testing

@Suite("ObservedValue")
struct ObservedValueTests {
  private let prices = KeyedAggregator(by: \ItemPrice.Event.item, initial: { _ in ItemPrice() })

  private func event(_ item: String, _ price: Int) -> ItemPrice.Event {
    ItemPrice.Event(item: item, price: price)
  }

  @Test("OBS-12: a ranking, a count, the keys and a selection have their first value at once")
  func first() {
    prices.send(event("tea", 3))
    prices.send(event("milk", 1))
    #expect(ObservedValue(prices.ranked(by: \.price, first: 1)).value.map(\.key) == ["tea"])
    #expect(ObservedValue(prices.count { $0.price < 2 }).value == 1)
    #expect(ObservedValue(prices.keys).value == ["tea", "milk"])
    #expect(ObservedValue(prices["tea"].select(\.price)).value == 3)
  }

  @Test("OBS-12: what the main actor sends is there at once, and is told once until it is read again")
  func own() {
    let best = ObservedValue(prices.ranked(by: \.price, first: 2))
    let cheap = ObservedValue(prices.count { $0.price < 2 })
    let (bestChanges, cheapChanges) = (changes { _ = best.value }, changes { _ = cheap.value })
    prices.send(event("tea", 3))
    prices.send(event("milk", 2))
    #expect(best.value.map(\.key) == ["tea", "milk"])
    #expect([bestChanges, cheapChanges].map(\.value) == [1, 0])
    let again = changes { _ = best.value }
    prices.send(event("salt", 1))
    #expect([again, cheapChanges].map(\.value) == [0, 1])
    #expect(cheap.value == 1)
  }

  @Test("OBS-12: a value that does not equal itself is told, and a number that stays NaN is not")
  func unequalToItself() {
    let desk = Aggregator(initial: DeskState())
    let (wind, gust) = (ObservedValue(desk.select(\.wind)), ObservedValue(desk.select(\.wind.gust)))
    let (windChanges, gustChanges) = (changes { _ = wind.value }, changes { _ = gust.value })
    desk.send(.blow(7))
    #expect([windChanges, gustChanges].map(\.value) == [1, 0])
    #expect(wind.value.speed == 7)
  }

  @Test("OBS-12: an observer reads the value before while it is told, and the new one afterwards")
  func whileTold() {
    let price = ObservedValue(prices["tea"].select(\.price))
    let seen = Log<Int?>()
    withObservationTracking {
      _ = price.value
    } onChange: {
      MainActor.assumeIsolated { seen.note(price.value) }
    }
    prices.send(event("tea", 3))
    #expect(seen.entries == [nil])
    #expect(price.value == 3)
  }

  @Test("OBS-12: what an observer sends while it is told of a value of another thread is shown, and that value is not")
  func sentWhileTold() async {
    let price = ObservedValue(prices["tea"].select(\.price))
    let (prices, first, second) = (prices, event("tea", 1), event("tea", 2))
    withObservationTracking {
      _ = price.value
    } onChange: {
      MainActor.assumeIsolated { _ = prices.send(second) }
    }
    onOtherThread { prices.send(first) }
    #expect(await eventually { price.value != nil })
    #expect(price.value == 2)
  }

  @Test("OBS-12: what others send is there at the main actor's next turn, the newest of it, as one change")
  func others() async {
    let price = ObservedValue(prices["tea"].select(\.price))
    let view = PriceView(price)
    let (prices, events) = (prices, (1...100).map { event("tea", $0) })
    onOtherThread { for event in events { prices.send(event) } }
    #expect(price.value == nil)
    #expect(await eventually { view.shown.last == 100 })
    #expect(view.shown == [nil, 100])
  }

  @Test("OBS-12: of own events and those of others the newest is shown in the end")
  func mixed() async {
    for _ in 0..<rounds(100) {
      let prices = KeyedAggregator(by: \ItemPrice.Event.item, initial: { _ in ItemPrice() })
      let count = ObservedValue(prices["tea"].select(\.count))
      let tea = event("tea", 1)
      async let sender: Void = onThread { for _ in 1...300 { prices.send(tea) } }
      var last = 0
      for own in 1...100 {
        prices.send(tea)
        let shown = count.value ?? 0
        #expect(shown >= last, "the value went back")
        last = shown
        if own % 16 == 0 { await Task.yield() }
      }
      await sender
      #expect(await eventually { count.value == 400 })
    }
  }

  @Test("OBS-12: it keeps the aggregator only if it is told to, is not kept by it, and its last value stays readable")
  func keeping() {
    var kept: KeyedAggregator<String, ItemPrice>? = KeyedAggregator(by: \.item, initial: { _ in ItemPrice() })
    var loose: KeyedAggregator<String, ItemPrice>? = KeyedAggregator(by: \.item, initial: { _ in ItemPrice() })
    weak let weakKept = kept
    weak let weakLoose = loose
    loose?.send(event("tea", 1))
    var first = kept.map { ObservedValue($0.keys, keeping: $0) }
    let second = loose.map { ObservedValue($0.keys) }
    weak let weakFirst = first
    kept = nil
    loose = nil
    #expect(weakKept != nil)
    #expect(weakLoose == nil)
    #expect(second?.value == ["tea"])
    first = nil
    #expect(weakFirst == nil)
    #expect(weakKept == nil)
  }
}

/// Shows a price, and shows it anew when it has changed, as a view does.
private final class PriceView {
  private let price: ObservedValue<Int?>
  private(set) var shown: [Int?] = []

  init(_ price: ObservedValue<Int?>) {
    self.price = price
    show()
  }

  private func show() {
    withObservationTracking {
      shown.append(price.value)
    } onChange: {
      Task { @MainActor in self.show() }
    }
  }
}
