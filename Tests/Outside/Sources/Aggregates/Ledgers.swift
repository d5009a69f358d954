import Aggregate
import Streams

// What these programs say of the package in other words than their own.
extension Aggregator {
  fileprivate func steps<Field: Equatable & Sendable>(of field: any KeyPath<State, Field> & Sendable) -> Look {
    Look(transitions(of: field)) { "\($0.event) \($0.old) \($0.new)" }
  }
  fileprivate func coarseSteps(of read: @escaping @Sendable (State) -> Int) -> Look {
    Look(transitions(of: read, by: { abs($0 - $1) < 3 })) { "\($0.event) \($0.old) \($0.new)" }
  }
  /// What has become of an event that was submitted.
  fileprivate func fate(of event: State.Event) async -> String {
    do throws(State.Rejection) {
      switch try await submit(event) {
      case .folded: return "folded"
      case .finished: return "finished"
      case .cancelled: return "cancelled"
      }
    } catch {
      return Fault.text(error)
    }
  }
}

/// Aggregators with subscribers of selections, states, events and transitions that come, go and send inside of
/// callbacks; with sources that come, go, fail and are redirected; with events that are refused.
struct Ledgers<Way: Manner>: Sendable {
  let cast: Cast
  private let ledger: Box<Aggregator<Ledger<Way>>?> = Box(Aggregator(initial: Ledger<Way>()))
  private let fields = Fields<Way>()
  private let feeds = [Subject<Entry, Fault>(), Subject<Entry, Fault>()]
  private let redirected = EventSource<Entry, Fault>()
  private let packets = Subject<[Entry], Never>()
  private let sources = Box<[SourceID]>([])

  fileprivate func run() async {
    cast.act.value = { act() }
    if let ledger = ledger.value {
      cast.subscribe(ledger.rejections, as: "refused") { "\($0.event) \(Fault.text($0.reason))" }
      cast.subscribe(ledger.sourceFailures, as: "failed") { Fault.text($0.error) }
    }
    for _ in 0..<cast.numbers.within(4...40) {
      act()
      if cast.numbers.once(in: 8), let ledger = ledger.value {
        let event = Entry(cast.numbers)
        cast.note("submit \(event): \(await ledger.fate(of: event))")
      }
    }
    cast.note("state \(ledger.value?.snapshot.text ?? "")")
    cast.act.value = nil
    // It is released, which ends it.
    ledger.value = nil
    cast.cancelAll()
    cast.note("observers \(feeds.map(\.observerCount))")
  }

  private func act() {
    guard let ledger = ledger.value else { return }
    let numbers = cast.numbers
    switch numbers.below(40) {
    case 0..<10:
      let event = Entry(numbers)
      cast.note("send \(event): \(ledger.send(event))")
    case 10, 11:
      let events = numbers.list(numbers.below(4)) { Entry(numbers) }
      cast.note("send \(events): \(ledger.send(contentsOf: events))")
    case 12..<20:
      let (name, look) = fields.any(numbers, of: ledger)
      cast.subscribe(look.values, as: name)
    case 20: cast.subscribe(ledger.states, as: "state") { $0.text }
    case 21: cast.subscribe(ledger.events, as: "event")
    case 22: cast.subscribe(ledger.steps(of: \.a).values, as: "a")
    case 23: cast.subscribe(ledger.coarseSteps { $0.pair.y }.values, as: "y")
    case 24..<29: cast.cancelAny()
    case 29, 30:
      let (name, look) = fields.any(numbers, of: ledger)
      cast.note("\(name) is \(look.now())")
    case 31: cast.note("state \(ledger.snapshot.text)")
    case 32 where numbers.once(in: 8): cast.note("finish: \(ledger.finish())")
    case 33 where numbers.once(in: 8): cast.note("finish now: \(ledger.finish(droppingPending: true))")
    default: feed(ledger)
    }
  }

  private func feed(_ ledger: Aggregator<Ledger<Way>>) {
    let (numbers, event, index) = (cast.numbers, Entry(cast.numbers), cast.numbers.below(2))
    switch numbers.below(14) {
    case 0: keep(ledger.add(feeds[index]))
    case 1: keep(ledger.add(redirected.events))
    case 2: keep(ledger.add(packets: packets))
    case 3: keep(ledger.add(Observable([event, .nothing])))
    case 4, 5: cast.note("remove: \(ledger.remove(source: numbers.pick(sources.value + [SourceID()])))")
    case 6: ledger.replace(sources: [feeds[index]])
    case 7: redirected.jump(to: feeds[index].observable)
    case 8 where numbers.once(in: 4): cast.note("fail \(index): \(feeds[index].fail(Fault(code: index)))")
    case 9: packets.send([event, .x(1), event])
    case 10: cast.note("scoped: \(ledger.scope(\.pair, sending: { Entry.x($0) }).send(index))")
    default: cast.note("feed \(index) \(event): \(feeds[index].send(event))")
    }
  }

  /// A source may send while it is added, so it is added before the lock is taken.
  private func keep(_ source: SourceID) { sources.change { $0.append(source) } }
}

extension Ledgers<Willing> {
  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    let cast = Cast(numbers, transcript)
    if numbers.once(in: 2) { await Ledgers<Picky>(cast: cast).run() } else { await Ledgers(cast: cast).run() }
  }
}
