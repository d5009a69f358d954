import Aggregate
import Foundation
import Observation
import RASPObservation
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Observed, and other threads")
struct OwnEventsTests {
  @Test("OBS-07 ★: what the main actor sends is there when send returns, also while another thread delivers")
  func held() async {
    let desk = Aggregator(initial: DeskState())
    let form = Observed(desk)
    let gate = Gate(patience: longestWait)
    let isHeld = Flag()
    let holding = desk.events.subscribe {
      guard case .other = $0 else { return }
      isHeld.raise()
      gate.hold()
    }
    async let sender: Void = onThread { desk.send(.other) }
    // The thread is started by a task, which may have to wait for the pool; the main actor stays free for others.
    #expect(await eventually { isHeld.isRaised })
    form.send(.rename("K"))
    form.send(.rename("Ki"))
    form.send(.own)
    #expect(form.name == "Ki")
    #expect(form.own == 1)
    #expect(desk.snapshot.name == "", "the events wait")
    gate.open()
    await sender
    #expect(await eventually { form.others == 1 })
    #expect(form.name == "Ki")
    #expect(form.own == 1)
    #expect(holding.isActive)
  }

  @Test(
    "OBS-07: an event that is sent while others wait is applied to the state that is shown, and the others are not again"
  )
  func ahead() async {
    let ledger = Aggregator(initial: LedgerState())
    let form = Observed(ledger)
    let gate = Gate(patience: longestWait)
    let isHeld = Flag()
    let holding = ledger.events.subscribe { event in
      guard event == 0 else { return }
      isHeld.raise()
      gate.hold()
    }
    async let sender: Void = onThread { ledger.send(0) }
    #expect(await eventually { isHeld.isRaised })
    let before = LedgerState.applied.value
    for amount in 1...200 {
      form.send(amount)
      #expect(form.sum == amount * (amount + 1) / 2)
    }
    // A turn of the main actor may come between, and apply all that wait once more.
    #expect(LedgerState.applied.value - before < 1_000)
    gate.open()
    await sender
    #expect(await eventually { ledger.snapshot.sum == 20_100 })
    #expect(form.sum == 20_100)
    form.send(1)
    #expect(form.sum == 20_101)
    #expect(holding.isActive)
  }

  @Test("what others have changed is not caused by the one whose send shows it")
  func cause() async {
    let desk = Aggregator(initial: DeskState())
    let form = Observed(desk)
    let cause = Box<Cause>()
    withObservationTracking {
      _ = form.others
    } onChange: {
      cause.value = Cause.current
    }
    // The main actor is not free to show it before the other event is sent.
    let isSent = Flag()
    Thread {
      desk.send(.other)
      isSent.raise()
    }.start()
    #expect(isSent.wait())
    Cause(lane: 1, number: 1).perform { _ = form.send(.own) }
    #expect(cause.value == .unknown)
  }

  @Test("OBS-07: each event of the main actor is shown once, whatever other threads send")
  func onceEach() async {
    for _ in 0..<rounds(200) {
      let desk = Aggregator(initial: DeskState())
      let form = Observed(desk)
      async let sender: Void = onThread { for _ in 1...500 { desk.send(.other) } }
      var others = 0
      for own in 1...200 {
        form.send(.own)
        #expect(form.own == own)
        #expect(form.others >= others, "the state went back")
        others = form.others
        if own % 16 == 0 { await Task.yield() }
      }
      await sender
      #expect(await eventually { form.others == 500 })
      #expect(form.own == 200)
      #expect(desk.snapshot.own == 200)
    }
  }

  @Test("OBS-07: an event that a subscriber sends from inside a delivery to the main actor is shown in its place")
  func fromSubscriber() async {
    let desk = Aggregator(initial: DeskState())
    let form = Observed(desk)
    let subscription = desk.events.subscribe { event in
      guard case .own = event else { return }
      MainActor.assumeIsolated {
        _ = form.send(.rename("after"))
        #expect(form.name == "after")
        #expect(form.own == 1)
      }
    }
    form.send(.own)
    #expect(form.own == 1)
    #expect(form.name == "after")
    #expect(subscription.isActive)
  }
}

/// Counts how often an event is applied, which a state must not do in earnest.
nonisolated private struct LedgerState: AggregateState {
  static let applied = Counter()

  var sum = 0

  mutating func apply(_ amount: Int) {
    Self.applied.increment()
    sum += amount
  }
}

@Suite("Observed, lifetimes")
struct LifetimeTests {
  @Test("OBS-08: the object keeps the aggregator, or not, as was said; the last state stays readable")
  func keeping() {
    var kept: Aggregator<DeskState>? = Aggregator(initial: DeskState())
    var loose: Aggregator<DeskState>? = Aggregator(initial: DeskState())
    weak let weakKept = kept
    weak let weakLoose = loose
    guard let first = kept.map({ Observed($0) }), let second = loose.map({ Observed($0, keeping: false) }) else {
      return
    }
    second.send(.rename("Kim"))
    kept = nil
    loose = nil
    #expect(weakKept != nil)
    #expect(weakLoose == nil)
    #expect(first.send(.rename("Robin")))
    #expect(!second.send(.rename("Robin")))
    #expect(first.name == "Robin")
    #expect(second.name == "Kim")
  }

  @Test("OBS-08: the aggregator does not keep the object, which leaves nothing behind")
  func released() {
    let desk = Aggregator(initial: DeskState())
    var form: Observed<DeskState>? = Observed(desk)
    weak let weakForm = form
    form?.send(.own)
    form = nil
    #expect(weakForm == nil)
    #expect(desk.send(.own))
  }
}
