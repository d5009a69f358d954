import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Touches: AggregateState {
  var total = 0

  mutating func apply(_ event: Int) { total += 1 }
}

/// What rows, callbacks and conditions do with the aggregator that calls them.
@Suite("Keyed aggregators and reentrancy")
struct RowReentrancyTests {
  private func reported(_ diagnostics: AggregatorDiagnostic...) -> [AggregatorDiagnostic] {
    #if DEBUG
      diagnostics
    #else
      []
    #endif
  }

  private func makeScripts() -> KeyedAggregator<Int, Scripted> {
    KeyedAggregator(
      by: { (_: Scripted.Step) in 1 },
      initial: { _ in Scripted() },
      rows: [1: Scripted(), 2: Scripted(value: 7)]
    )
  }

  @Test("KEY-12: a read from inside an apply in place finds nothing, and is noted once, in every build")
  func readDuringApply() {
    let scripts = makeScripts()
    let diagnostics = Recorder(scripts.diagnostics)
    let read = Log<Int?>()
    scripts.send(
      Scripted.Step { [unowned scripts] state in
        state.value = 1
        read.note(scripts[1].current?.value)
        read.note(scripts[2].current?.value)
        read.note(scripts.rowCount)
        read.note(scripts.rows().count)
        read.note(scripts.count { _ in true }.current)
      }
    )
    #expect(read.entries == [nil, nil, 0, 0, 0])
    #expect(scripts[1].current?.value == 1)
    #expect(diagnostics.values == [.readDuringApply])
  }

  #if DEBUG
    @Test("KEY-12: rows whose applies read each other are found before they wait: one of them gets nothing")
    func readEachOther() {
      for _ in 0..<rounds(5_000) {
        let aggregators = [makeScripts(), makeScripts()]
        let diagnostics = aggregators.map { Recorder($0.diagnostics) }
        let (inside, read) = (Counter(), Log<Int?>())

        Threads.run(count: 2) { thread in
          aggregators[thread].send(
            Scripted.Step { state in
              state.value = 1
              inside.increment()
              block { inside.value == 2 }
              read.note(aggregators[1 - thread][1].current?.value)
            }
          )
        }

        #expect(read.entries.count { $0 == nil } == 1)
        #expect(read.entries.count { $0 == 1 } == 1)
        #expect(diagnostics.flatMap(\.values) == [.readDuringApply])
      }
    }

    @Test("KEY-12: the same between a row and a plain aggregator, one of which notes it")
    func readEachOtherWithWhole() {
      let rows = makeScripts()
      let whole = Aggregator(initial: Scripted())
      let diagnostics = [Recorder(rows.diagnostics), Recorder(whole.diagnostics)]
      let inside = Counter()
      let meet: @Sendable () -> Void = {
        inside.increment()
        block { inside.value == 2 }
      }

      Threads.run(
        {
          rows.send(
            Scripted.Step { _ in
              meet()
              _ = whole.snapshot
            }
          )
        },
        {
          whole.send(
            Scripted.Step { _ in
              meet()
              _ = rows[1].current
            }
          )
        }
      )

      #expect(diagnostics.flatMap(\.values) == [.readDuringApply])
    }
  #endif

  @Test(
    "KEY-12: an apply that may refuse, or that makes a row, changes a copy: others read meanwhile, and nothing waits"
  )
  func readOfCopy() {
    let made = makeScripts()
    let refusing = KeyedAggregator(
      by: { (_: GuardedScript.Step) in 1 },
      initial: { _ in GuardedScript() },
      rows: [(key: 1, value: GuardedScript(value: 5))]
    )
    made.remove(1)
    let diagnostics = [Recorder(made.diagnostics), Recorder(refusing.diagnostics)]
    let (inside, read) = (Counter(), Log<Int?>())
    let meet: @Sendable (_ count: Int) -> Void = { count in
      inside.increment()
      block { inside.value >= count }
    }

    Threads.run(
      {
        made.send(
          Scripted.Step { state in
            state.value = 6
            meet(2)
            read.note(refusing[1].current?.value)
            meet(4)
          }
        )
      },
      {
        refusing.send(
          GuardedScript.Step { state in
            state.value = 6
            meet(2)
            read.note(made[1].current?.value)
            meet(4)
          }
        )
      }
    )

    #expect(read.entries.contains(5) && read.entries.contains(nil))
    #expect(diagnostics.flatMap(\.values).isEmpty)
  }

  @Test("KEY-05: a count whose condition looks elsewhere never traps and is never negative", arguments: [1, 4])
  func conditionThatLooksElsewhere(_ shards: Int) {
    let isOn = Flag()
    let counts = KeyedAggregator(
      shards: shards,
      indexOf: { $0 % shards },
      by: { (key: Int) in key },
      initial: { _ in Touches() },
      rows: (0..<8).map { (key: $0, value: Touches()) }
    )
    let satisfied = counts.count { state in
      // What is asked when an event comes is not what was counted, nor what is asked behind the event.
      isOn.isRaised && state.total % 2 == 0
    }
    let recorder = Recorder(satisfied.observable)
    isOn.raise()
    for key in 0..<8 { counts.send(key) }
    #expect(recorder.values.allSatisfy { $0 >= 0 })
    #expect(satisfied.current >= 0)
    #expect(Recorder(counts.count { $0.total % 2 == 1 }.observable).values.last == 8)
  }

  @Test("KEY-12: an apply that may refuse works on a copy: a read finds the rows as they were")
  func readDuringGuardedApply() {
    let scripts = KeyedAggregator(by: { (_: GuardedScript.Step) in 1 }, initial: { _ in GuardedScript() })
    let diagnostics = Recorder(scripts.diagnostics)
    let read = Log<Int?>()
    for value in 1...2 {
      scripts.send(
        GuardedScript.Step { [unowned scripts] state in
          state.value = value
          read.note(scripts[1].current?.value)
        }
      )
    }
    #expect(read.entries == [nil, 1])
    #expect(diagnostics.values.isEmpty)
  }

  @Test("KEY-12: an event that is sent from inside apply is folded behind the present one, and noted in debug")
  func sendDuringApply() {
    let scripts = makeScripts()
    let diagnostics = Recorder(scripts.diagnostics)
    let values = Recorder(scripts[1].select(\.value).observable)
    scripts.send(
      Scripted.Step { [unowned scripts] state in
        scripts.send(Scripted.Step { $0.value += 10 })
        scripts.remove(2)
        state.value = 1
      }
    )
    #expect(values.values == [0, 1, 11])
    #expect(scripts.rowCount == 1)
    #expect(diagnostics.values == reported(.sentDuringApply))
  }

  @Test("KEY-12: in a round, everything that is read belongs to the moment behind the event")
  func readInRound() {
    let tallies = KeyedAggregator(by: { (event: Tally.Event) in event == .nothing ? 1 : 0 }, initial: { _ in Tally() })
    let total = tallies.count { $0.count > 1 }
    let read = Log<[Int]>()
    let note: @Sendable () -> Void = { [unowned tallies] in
      read.note([tallies[0].current?.count ?? 0, tallies[0].select(\.count).current ?? 0, total.current])
    }
    let tokens = [
      tallies[0].select(\.count).subscribe { _ in note() },
      tallies.each(\.count).subscribe { _ in note() },
      total.subscribe { _ in note() },
      tallies.events.subscribe { _ in note() },
    ]
    let greeted = read.count
    tallies.send(.add(2))
    #expect(Array(read.entries.dropFirst(greeted)) == Array(repeating: [2, 2, 1], count: 4))
    for token in tokens { token.cancel() }
  }

  @Test("KEY-12: a condition of a view reads the rows as they are before the event, and as they are behind it")
  func readInCondition() {
    let tallies = KeyedAggregator(by: { (_: Tally.Event) in 0 }, initial: { _ in Tally() })
    tallies.send(.add(1))
    let read = Log<Int>()
    let many = tallies.count { [unowned tallies] tally in
      read.note(tallies[0].current?.count ?? -1)
      return tally.count > 1
    }
    let counts = Recorder(many.observable)
    tallies.send(.add(1))
    #expect(counts.values == [0, 1])
    #expect(read.entries == [1, 1, 2])
  }

  @Test("KEY-12: a round reaches all it concerns before a removal, an insertion or an event that it has caused")
  func roundsAreWhole() {
    let tallies = KeyedAggregator(by: { (_: Tally.Event) in 0 }, initial: { _ in Tally() })
    let entries = Log<String>()
    let tokens = [
      tallies[0].select(\.count).subscribe { [unowned tallies] count in
        entries.note("a \(count ?? -1)")
        if count == 1 {
          tallies.remove(0)
          tallies.send(.add(5))
          tallies.insert([0: Tally(count: 9)])
        }
      },
      tallies.each(\.count).subscribe { entries.note("b \($0.value)") },
    ]
    tallies.send(.add(1))
    #expect(entries.entries == ["a -1", "a 1", "b 1", "a -1", "a 5", "b 5", "a 9", "b 9"])
    for token in tokens { token.cancel() }
  }

  @Test("KEY-12: the closure that tells the key may wait for another thread that reads the rows")
  func readWhileKeyIsTold() {
    let own = Lock<KeyedAggregator<String, Quote>?>(nil)
    let counts = Log<Int>()
    let quotes = KeyedAggregator<String, Quote>(
      by: { tick in
        if let quotes = own.withLock({ $0 }) { Threads.run(count: 1) { _ in counts.note(quotes.rowCount) } }
        return tick.symbol
      },
      initial: { _ in Quote() }
    )
    own.withLock { $0 = quotes }
    for symbol in ["A", "B", "A"] { quotes.send(Tick(symbol: symbol, price: 1)) }
    quotes.send(contentsOf: [Tick(symbol: "C", price: 1)])
    #expect(counts.entries == [0, 1, 2, 2])
    own.withLock { $0 = nil }
  }
}
