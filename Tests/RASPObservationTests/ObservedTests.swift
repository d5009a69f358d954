import Aggregate
import Observation
import RASPObservation
import RASPTesting
import TestSupport
import Testing

@Suite("Observed")
struct ObservedTests {
  @Test("OBS-01: the first value is there at once, and it is the newest")
  func first() {
    let desk = Aggregator(initial: DeskState())
    desk.send(.rename("Kim"))
    let form = Observed(desk)
    #expect(form.name == "Kim")
    #expect(form.address.number == 0)
    #expect(form[\.self].initial == "K")
  }

  @Test("OBS-02: a field that is read is tracked for itself alone, stored or computed or inside another one")
  func tracking() {
    let form = Observed(Aggregator(initial: DeskState()))
    let name = changes { _ = form.name }
    let isOpen = changes { _ = form.isOpen }
    let isClosed = changes { _ = form.isClosed }
    let initial = changes { _ = form.initial }
    let street = changes { _ = form[\.address.street] }
    let address = changes { _ = form.address.street }
    let whole = changes { _ = form[\.self] }
    var counts: [Int] { [name, isOpen, isClosed, initial, street, address, whole].map(\.value) }

    form.send(.move(street: "", number: 7))
    #expect(counts == [0, 0, 0, 0, 0, 1, 1])
    form.send(.close(true))
    #expect(counts == [0, 0, 1, 0, 0, 1, 1])
    form.send(.rename("Kim"))
    #expect(counts == [1, 0, 1, 1, 0, 1, 1])
    form.send(.move(street: "High Street", number: 7))
    #expect(counts == [1, 0, 1, 1, 1, 1, 1])
    form.send(.open(true))
    #expect(counts == [1, 1, 1, 1, 1, 1, 1])
  }

  @Test("OBS-02: an observer that has been told is told again when it has read again")
  func again() {
    let form = Observed(Aggregator(initial: DeskState()))
    for round in 1...3 {
      let name = changes { _ = form.name }
      form.send(.rename("\(round)"))
      form.send(.rename("\(round)!"))
      #expect(name.value == 1)
    }
  }

  @Test("OBS-03: a field that is the same does not notify: equal strings, NaN after NaN, and memory that is the same")
  func same() {
    let form = Observed(Aggregator(initial: DeskState()))
    form.send(.rename("a string that does not fit into its own sixteen bytes"))
    form.send(.measure(.nan))
    let name = changes { _ = form.name }
    let reading = changes { _ = form.reading }
    let opaque = changes { _ = form.opaque }
    form.send(.rename(["a string that does not fit into", "its own sixteen bytes"].joined(separator: " ")))
    form.send(.measure(-.nan))
    form.send(.mark(0))
    #expect([name, reading, opaque].map(\.value) == [0, 0, 0])
    form.send(.measure(1))
    form.send(.mark(1))
    #expect([name, reading, opaque].map(\.value) == [0, 1, 1])
  }

  @Test("OBS-03: a field that does not equal itself is told when its memory has changed, and only then")
  func unequalToItself() {
    let form = Observed(Aggregator(initial: DeskState()))
    let wind = changes { _ = form.wind }
    form.send(.own)
    #expect(wind.value == 0)
    form.send(.blow(7))
    #expect(wind.value == 1 && form.wind.speed == 7)

    let page = Observed(Aggregator(initial: PageState()))
    for text in ["no network", "wrong password"] {
      let loading = changes { _ = page.loading }
      page.send(text)
      #expect(loading.value == 1, "failures cannot be compared, so each is another one")
    }
    // Both are in one word of the memory.
    let (small, other) = (changes { _ = page.small }, changes { _ = page.other })
    page.send("")
    #expect([small, other].map(\.value) == [0, 1])
  }

  @Test("OBS-09: a key path that was read once costs later events nothing, with an observer that has gone or without")
  func readOnce() {
    let shelf = Observed(Aggregator(initial: ShelfState()))
    let kept = changes { _ = shelf[\.[name: 7]] }
    for item in 0..<1_000 where item != 7 { _ = shelf[\.[name: item]] }
    let reads = ShelfState.reads.value
    for choice in 1...10 { shelf.send(.choose(choice)) }
    #expect(ShelfState.reads.value == reads + 20, "each event reads the one field that an observer waits for, twice")

    // A view that shows one item after the other.
    for item in 0..<1_000 where item != 7 {
      let before = ShelfState.reads.value
      let told = changes { _ = (shelf.chosen, shelf[\.[name: item]]) }
      shelf.send(.choose(item + 100))
      #expect(told.value == 1)
      #expect(ShelfState.reads.value <= before + 5)
    }
    #expect(kept.value == 0)
    shelf.send(.rename(7, "seven"))
    #expect(kept.value == 1)
  }

  @Test("OBS-04: what others send is there at the main actor's next turn, in order, as one change")
  func others() async {
    let desk = Aggregator(initial: DeskState())
    let form = Observed(desk)
    let view = CountingView(form)
    await Task { @MainActor in }.value
    onOtherThread { for _ in 1...100 { desk.send(.other) } }
    // The main actor has not had a turn.
    #expect(form.others == 0)
    #expect(await eventually { view.shown.last == 100 })
    #expect(view.shown == [0, 100])
  }

  @Test("OBS-05: two-way access reads the field, and an assignment sends an event")
  func twoWay() {
    let desk = Aggregator(initial: DeskState())
    let form = Observed(desk)
    let name = changes { _ = form[\.name, sending: DeskState.Event.rename] }
    form[\.name, sending: DeskState.Event.rename] = "Kim"
    form[\.name, sending: DeskState.Event.rename] += "!"
    #expect(form.name == "Kim!")
    #expect(desk.snapshot.name == "Kim!")
    #expect(name.value == 1)
  }

  @Test("OBS-06: a refused event is not shown, and the next one is")
  func refusal() {
    let form = Observed(Aggregator(initial: StrictState()))
    let name = changes { _ = form.name }
    #expect(form.send(""))
    #expect(form.name == "Kim")
    #expect(name.value == 0)
    form.send("Robin")
    #expect(form.name == "Robin")
  }

  @Test("a comparison may read the object that it is made for")
  func comparison() {
    let form = Observed(Aggregator(initial: NosyState()))
    NosyState.Name.form.value = form
    defer { NosyState.Name.form.value = nil }
    let name = changes { _ = form.name }
    form.send("Kim")
    #expect(form.name.text == "Kim")
    #expect(form.number == 1)
    #expect(name.value == 1)
  }

  @Test("a change that is made while one is being told of is shown when that one is over")
  func reentrancy() {
    let form = Observed(Aggregator(initial: DeskState()))
    withObservationTracking {
      _ = form.name
    } onChange: {
      MainActor.assumeIsolated { _ = form.send(.own) }
    }
    form.send(.rename("Kim"))
    #expect(form.name == "Kim")
    #expect(form.own == 1)
  }

  @Test("an event that is sent by what an event releases is shown, and stays shown")
  func releases() async {
    let slips = Aggregator(initial: SlipState())
    let form = Observed(slips)
    let gate = Gate(patience: longestWait)
    let (isHeld, isDone) = (Flag(), Flag())
    let holding = slips.events.subscribe { slip in
      guard slip.text == "held" else { return }
      isHeld.raise()
      gate.hold()
    }
    async let sender: Void = onThread {
      slips.send(Slip("held"))
      isDone.raise()
    }
    // The main actor has no turn before the last event is sent.
    _ = isHeld.wait()
    // It waits, so the object keeps it; the aggregator has released it when it has been folded.
    form.send(Slip("first", onRelease: { MainActor.assumeIsolated { _ = form.send(Slip("last")) } }))
    gate.open()
    _ = isDone.wait()
    form.send(Slip("second"))
    #expect(form.texts == ["held", "first", "second", "last"])
    #expect(form.texts == slips.snapshot.texts)
    await sender
    #expect(holding.isActive)
  }
}

/// A state with an enumeration whose failures are all different, and with two small fields side by side.
nonisolated private struct PageState: AggregateState {
  enum Loading: Equatable, Sendable {
    case idle
    case failed(String)

    static func == (left: Loading, right: Loading) -> Bool {
      if case (.idle, .idle) = (left, right) { true } else { false }
    }
  }

  /// Cannot be compared.
  struct Small: Sendable { var number: UInt8 = 0 }

  var loading = Loading.idle
  var small = Small()
  var other: UInt8 = 0

  mutating func apply(_ text: String) {
    if text.isEmpty { other += 1 } else { loading = .failed(text) }
  }
}

/// A state that counts how often a name is read.
nonisolated private struct ShelfState: AggregateState {
  enum Event: Sendable { case choose(Int), rename(Int, String) }

  static let reads = Counter()

  var names: [Int: String] = [:]
  var chosen = 0

  subscript(name item: Int) -> String? {
    Self.reads.increment()
    return names[item]
  }

  mutating func apply(_ event: Event) {
    switch event {
    case .choose(let item): chosen = item
    case .rename(let item, let name): names[item] = name
    }
  }
}

/// An event that runs code when it is released.
nonisolated private struct Slip: Sendable {
  final class Release: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
  }

  let text: String
  let release: Release?

  init(_ text: String, onRelease body: (@Sendable () -> Void)? = nil) {
    self.text = text
    release = body.map { Release($0) }
  }
}

nonisolated private struct SlipState: AggregateState {
  var texts: [String] = []

  mutating func apply(_ slip: Slip) { texts.append(slip.text) }
}

/// A state with a field that reads another one of the observed object when it is compared.
nonisolated private struct NosyState: AggregateState {
  struct Name: Sendable, Equatable {
    static let form = Box<Observed<NosyState>>()

    var text = ""

    static func == (left: Name, right: Name) -> Bool {
      MainActor.assumeIsolated { _ = form.value?.number }
      return left.text == right.text
    }
  }

  var name = Name()
  var number = 0

  mutating func apply(_ text: String) {
    name.text = text
    number += 1
  }
}

/// Shows a number, and shows it anew when it has changed, as a view does.
private final class CountingView {
  private let form: Observed<DeskState>
  private(set) var shown: [Int] = []

  init(_ form: Observed<DeskState>) {
    self.form = form
    show()
  }

  private func show() {
    withObservationTracking {
      shown.append(form.others)
    } onChange: {
      Task { @MainActor in self.show() }
    }
  }
}
