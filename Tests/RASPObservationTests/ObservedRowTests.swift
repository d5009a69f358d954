import Aggregate
import Observation
import RASPKeyed
import RASPObservation
import RASPTesting
import TestSupport
import Testing

@Suite("Observed, over a row")
struct ObservedRowTests {
  private let prices = KeyedAggregator(by: \ItemPrice.Event.item, initial: { _ in ItemPrice() })

  private func event(_ item: String, _ price: Int) -> ItemPrice.Event {
    ItemPrice.Event(item: item, price: price)
  }

  @Test("OBS-11: a row is nil while it is not there, and is tracked field by field")
  func fields() {
    let tea = Observed(prices, key: "tea")
    #expect(tea.state == nil && tea.price == nil && tea.first == nil)
    let price = changes { _ = tea.price }
    let first = changes { _ = tea.first }
    let whole = changes { _ = tea.state }
    tea.send(event("milk", 1))
    #expect([price, first, whole].map(\.value) == [0, 0, 0])
    tea.send(event("tea", 3))
    #expect([price, first, whole].map(\.value) == [1, 1, 1])
    #expect(tea.price == 3 && tea.first == 3 && tea.state?.count == 1)
    let again = [changes { _ = tea.price }, changes { _ = tea.first }, changes { _ = tea.count }]
    tea.send(event("tea", 3))
    #expect(again.map(\.value) == [0, 0, 1])
    #expect(prices["milk"].current?.price == 1)
  }

  @Test("OBS-11: a row that is removed is nil again, and one that comes back is shown")
  func removed() async {
    prices.send(event("tea", 3))
    let tea = Observed(prices, key: "tea")
    #expect(tea.price == 3)
    prices.remove("tea")
    #expect(await eventually { tea.price == nil })
    prices.send(event("tea", 4))
    #expect(await eventually { tea.price == 4 })
    #expect(tea.count == 1)
  }

  @Test("OBS-11: what others send is there at the main actor's next turn, and a refused event is not shown")
  func others() async {
    prices.send(event("tea", 3))
    let tea = Observed(prices, key: "tea")
    await Task { @MainActor in }.value
    let (prices, events) = (prices, (1...100).map { event("tea", $0) })
    onOtherThread { for event in events { prices.send(event) } }
    #expect(tea.price == 3)
    #expect(await eventually { tea.price == 100 })
    tea.send(event("tea", 0))
    #expect(tea.price == 100 && tea.count == 101)
  }

  @Test("OBS-11 ★: what the main actor sends to a row is shown when send returns, also while another thread delivers")
  func held() async {
    let prices = prices
    prices.send(event("tea", 3))
    let tea = Observed(prices, key: "tea")
    let gate = Gate(patience: longestWait)
    let isHeld = Flag()
    let holding = prices.events.subscribe {
      guard $0.item == "milk" else { return }
      isHeld.raise()
      gate.hold()
    }
    let milk = event("milk", 1)
    async let sender: Void = onThread { prices.send(milk) }
    #expect(await eventually { isHeld.isRaised })
    tea.send(event("tea", 4))
    tea.send(event("milk", 9))
    tea.send(event("tea", 0))
    tea.send(event("tea", 5))
    #expect(tea.price == 5 && tea.count == 3)
    #expect(prices["tea"].current?.price == 3, "the events wait")
    gate.open()
    await sender
    #expect(await eventually { prices["tea"].current?.price == 5 && prices.pendingCount == 0 })
    await Task { @MainActor in }.value
    #expect(tea.price == 5 && tea.count == 3)
    #expect(holding.isActive)
  }

  @Test("OBS-11: the object keeps the aggregator, or not, as was said; the last row stays readable")
  func keeping() {
    var kept: KeyedAggregator<String, ItemPrice>? = KeyedAggregator(by: \.item, initial: { _ in ItemPrice() })
    var loose: KeyedAggregator<String, ItemPrice>? = KeyedAggregator(by: \.item, initial: { _ in ItemPrice() })
    weak let weakKept = kept
    weak let weakLoose = loose
    guard let first = kept.map({ Observed($0, key: "tea") }),
      let second = loose.map({ Observed($0, key: "tea", keeping: false) })
    else { return }
    second.send(event("tea", 1))
    kept = nil
    loose = nil
    #expect(weakKept != nil)
    #expect(weakLoose == nil)
    #expect(first.send(event("tea", 2)))
    #expect(!second.send(event("tea", 2)))
    #expect(first.price == 2 && second.price == 1)
  }

  @Test("OBS-11: an observed row counts as one with a subscriber, until the object goes")
  func subscriber() {
    var tea: Observed<ObservedRow<String, ItemPrice>>? = Observed(prices, key: "tea")
    weak let weakTea = tea
    #expect(prices["tea"].subscriberCount == 1)
    tea?.send(event("tea", 1))
    tea = nil
    #expect(weakTea == nil)
    #expect(prices["tea"].subscriberCount == 0)
  }
}
