import Aggregate
import RASPObservation
import RASPTesting
import Streams
import TestSupport
import Testing

/// Stands for a label, which keeps its text as an optional.
final class Label {
  private(set) var assigned: [String?] = []
  var text: String? {
    didSet { assigned.append(text) }
  }
  var size = 0.0
}

@Suite("assign(to:on:)")
struct AssigningTests {
  @Test("OBS-10: the field is assigned at once, and then the newest in each turn of the main actor")
  func newest() async {
    let desk = Aggregator(initial: DeskState())
    let label = Label()
    let token = desk.select(\.name).assign(to: \.text, on: label)
    let size = desk.select(\.reading).assign(to: \.size, on: label)
    #expect(label.assigned == [""])
    onOtherThread {
      for letter in ["K", "Ki", "Kim"] { desk.send(.rename(letter)) }
      desk.send(.measure(2))
    }
    #expect(await eventually { label.size == 2 })
    #expect(label.assigned == ["", "Kim"])
    token.cancel()
    desk.send(.rename("Robin"))
    desk.send(.measure(3))
    #expect(await eventually { label.size == 3 })
    #expect(label.text == "Kim")
    #expect(size.isActive)
  }

  @Test("OBS-10: the object is not kept, and a change that waits for a turn is dropped by cancelling")
  func lifetime() async {
    let desk = Aggregator(initial: DeskState())
    var label: Label? = Label()
    weak let weakLabel = label
    let token = label.map { desk.select(\.name).assign(to: \.text, on: $0) }
    desk.send(.rename("Kim"))
    token?.cancel()
    for _ in 0..<10 { await Task.yield() }
    #expect(label?.text == "")
    let other = label.map { desk.select(\.name).assign(to: \.text, on: $0) }
    label = nil
    #expect(weakLabel == nil)
    desk.send(.rename("Robin"))
    desk.finish()
    #expect(await eventually { other?.isActive == false })
  }
}
