import Aggregate
import RASPInsight
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Why is this value so?")
struct WhyTests {
  private let time = VirtualScheduler()

  @Test("REC-06: an explanation names the event, the value before, and the causes, from lane to lane")
  func chain() {
    let insight = Insight(on: time)
    let (boat, pilot) = (Aggregator(initial: Ship()), Aggregator(initial: Ship()))
    let (boats, pilots) = (insight.record(boat, as: "boat"), insight.record(pilot, as: "pilot"))
    let steering = boat.select(\.speed).subscribe { speed in
      if speed > 0 { pilot.send(.heading(speed * 10)) }
    }
    let turning = pilot.select(\.heading).subscribe { heading in
      if heading > 0 { boat.send(.heading(heading)) }
    }
    time.advance(by: .milliseconds(1_500))
    boat.send(.speed(2))
    boat.send(.name("Momo"))

    let why = boats.why(\.heading)
    let lanes = [boats.recording.lane, pilots.recording.lane]
    #expect(why.links.map(\.id) == [(0, 2), (1, 1), (0, 1)].map { Cause(lane: lanes[$0.0], number: $0.1) })
    #expect(why.links.map(\.lane) == ["boat", "pilot", "boat"])
    #expect(why.links.map(\.number) == [2, 1, 1])
    #expect(why.links.first?.change == Timeline.Change(path: ".heading", old: "0.0", new: "20.0"))
    #expect(why.end == .outside)
    #expect(
      "\(why)" == """
        boat.heading = 20.0, was 0.0
          by boat #2 .heading(20.0)   1.500 s
          by pilot #1 .heading(20.0)  1.500 s  .heading 0.0 → 20.0
          by boat #1 .speed(2.0)      1.500 s  .speed 0.0 → 2.0
          cause unknown: it came from outside, or on a way that carries no causes
        """
    )
    #expect(boats.why(event: 2).links.map(\.id) == why.links.map(\.id))
    #expect(boats.why(event: 2).value == nil)
    #expect(boats.why(event: 4).end == .noSuchEvent)
    withExtendedLifetime((steering, turning)) {}
  }

  @Test("the value is the one that the event has made, not a later one that the selection takes for the same")
  func tolerance() {
    let boat = Aggregator(initial: Ship())
    let boats = Insight(on: time).record(boat, as: "boat")
    boat.send(.speed(9))
    boat.send(.speed(12))
    let why = boats.why(StateSelector(\.speed, by: { abs($0 - $1) <= 5 }))
    #expect(why.value == "9.0")
    #expect(why.links.map(\.number) == [1])
  }

  @Test("REC-15: each link has what it has changed in its lane, and none for what was refused or has no state")
  func changes() {
    let insight = Insight(on: time)
    let (boat, purse) = (Aggregator(initial: Ship()), Aggregator(initial: Purse()))
    let boats = insight.record(boat, as: "boat")
    let purses = insight.record(purse, as: "purse")
    let events = insight.record(Aggregator(initial: Ship()), as: "events", keepingBase: false)
    let tokens = [
      purse.events.subscribe { boat.send(.speed(Double($0))) },
      boat.select(\.speed).subscribe { speed in
        if speed != 0 { boat.send(.crew(["Ada", "Bob"])) }
      },
    ]
    purse.send(3)
    let why = boats.why(\.crew)
    #expect(why.links.map { $0.changes.map(\.path) } == [[".crew"], [".speed"], [".coins"]])
    #expect(why.links[2].changes == [Timeline.Change(path: ".coins", old: "0", new: "3")])
    #expect("\(why)".contains("  .coins 0 → 3\n"))
    #expect(boats.why(event: 2).description.contains("  .crew [] → [\"Ada\", \"Bob\"]\n"))

    purse.send(-9)
    #expect(boats.why(\.speed).links.map { $0.changes.count } == [1, 0])
    #expect(purses.why(event: 2).links.map(\.changes) == [[]])
    #expect(events.why(event: 1).end == .noSuchEvent)
    withExtendedLifetime(tokens) {}
  }

  @Test("REC-06: a field is compared as a selection compares it")
  func selectors() {
    let boat = Aggregator(initial: Ship())
    let recorder = Insight(on: time).record(boat, as: "boat")
    for speed in [1.0, 1.2, 5, 5.1] { boat.send(.speed(speed)) }
    boat.send(.heading(.nan))
    boat.send(.heading(.nan))

    #expect(recorder.why(\.speed).links.map(\.number) == [4])
    #expect(recorder.why(StateSelector(\Ship.speed) { abs($0 - $1) < 0.5 }).links.map(\.number) == [3])
    #expect(recorder.why(StateSelector { (boat: Ship) in boat.speed > 1 }).links.map(\.number) == [2])
    #expect(recorder.why(StateSelector { (boat: Ship) in boat.speed > 1 }).subject == "boat (Bool)")
    #expect(recorder.why(\.heading).links.map(\.number) == [5], "NaN after NaN is no change")
    #expect(recorder.why(\.name).end == .unchanged(since: .zero))
    #expect(recorder.why(\.name).description == "boat.name = \"\"\n  unchanged since the recording begins, at 0.000 s")
  }

  @Test("REC-06: an event that has changed nothing is not blamed, also if the field does not equal itself")
  func unequalToItself() {
    let mast = Aggregator(initial: Mast())
    let recorder = Insight(on: time).record(mast, as: "mast")
    for event in [Mast.Event.speed(7), .sail(3), .again, .tick, .again] { mast.send(event) }

    #expect(recorder.why(\.wind).links.map(\.number) == [1])
    #expect(recorder.why(\.wind).links.first?.change?.old?.contains("speed: 0.0") == true)
    #expect(recorder.why(StateSelector(\Mast.sail)).links.map(\.number) == [2], "what cannot be compared")
    for selector in [StateSelector(\Mast.gusts), StateSelector { (mast: Mast) in mast.gusts }] {
      #expect(recorder.why(selector).end == .unchanged(since: .zero), "equal arrays of NaN in other memory")
    }
    #expect(recorder.why(\.logs).end == .unchanged(since: .zero))
    #expect(recorder.why(StateSelector(\Mast.wind) { _, _ in false }).links.map(\.number) == [1])
  }

  private final class Session: Sendable {}

  private struct App: AggregateState {
    enum Event: Sendable { case login, tick }

    struct Holder: Sendable { let session = Session() }

    var session: Session?
    var plain = Session()
    var holder = Holder()
    var ticks = 0

    mutating func apply(_ event: Event) {
      switch event {
      case .login: (session, plain, holder) = (Session(), Session(), Holder())
      case .tick: ticks += 1
      }
    }
  }

  @Test("REC-06: an object that was replaced is a change, also in an optional, a structure and a row")
  func objects() {
    let app = Aggregator(initial: App())
    let rows = KeyedAggregator(by: { (_: App.Event) in 1 }, initial: { _ in App() })
    let insight = Insight(on: time)
    let (recorder, ofRows) = (insight.record(app, as: "app"), insight.record(rows, as: "rows"))
    for event in [App.Event.login, .tick, .login, .tick] {
      app.send(event)
      rows.send(event)
    }
    #expect(recorder.why(\.plain).links.first?.number == 3)
    #expect(recorder.why(\.session).links.first?.number == 3)
    #expect(recorder.why(\.holder).links.first?.number == 3)
    #expect(ofRows.why(\.plain, of: 1).links.first?.number == 3)
    #expect(ofRows.why(\.session, of: 1).links.first?.number == 3)
  }

  @Test("a value is shown without the name of its module")
  func names() {
    let mast = Aggregator(initial: Mast())
    let recorder = Insight(on: time).record(mast, as: "mast")
    mast.send(.sail(3))
    let why = recorder.why(StateSelector(\Mast.sail))
    #expect(why.description.hasPrefix("mast.sail = Sail(reefs: 3), was Sail(reefs: 0)"))
    #expect(recorder.why(\.wind).value == "Wind(speed: 0.0, gust: nan)")
    #expect(recorder.why(\.course).value == ".unknown")
  }

  @Test("REC-06: an event that was refused has changed nothing")
  func refusal() {
    let purse = Aggregator(initial: Purse())
    let recorder = Insight(on: time).record(purse, as: "purse")
    for coins in [3, -5] { purse.send(coins) }
    #expect(recorder.why(\.coins).links.map(\.number) == [1])
    #expect(recorder.why(event: 2).links.map(\.label) == ["-5"])
    #expect(recorder.recording.timeline.occurrences.map(\.failure) == [nil, "too\\nmuch"])
    #expect(recorder.recording.timeline.occurrences.map(\.changes.count) == [1, 0])
  }

  @Test("REC-06: a chain says where it ends: older than the recording, another insight, only events kept")
  func ends() {
    let insight = Insight(on: time)
    let (boat, pilot) = (Aggregator(initial: Ship()), Aggregator(initial: Ship()))
    let boats = insight.record(boat, as: "boat", last: 2)
    let pilots = insight.record(pilot, as: "pilot", last: 2)
    let token = pilot.events.subscribe { boat.send($0) }
    pilot.send(.heading(1))
    for speed in 1...2 { pilot.send(.name("\(speed)")) }
    boat.send(.speed(7))

    #expect(boats.why(event: 3).end == .outside)
    pilot.send(.crew([]))
    boat.send(.speed(8))
    #expect(boats.why(event: 5).end == .outside)
    pilot.send(.heading(2))
    #expect(boats.recording.entries.map(\.number) == [6, 7])
    #expect(boats.why(\.heading).end == .outside)
    for heading in 3...4 { pilot.send(.heading(Double(heading))) }

    let other = Insight(on: time).record(boat, as: "other")
    #expect(other.why(\.heading).end == .elsewhere(Cause(lane: pilots.recording.lane, number: 7)))
    #expect(other.why(\.heading).links.first?.lane == "boat", "one tape has one name")

    let events = Insight(on: time).record(Aggregator(initial: Ship()), as: "a", keepingBase: false)
    #expect(events.why(\.speed).end == .unchanged(since: .zero))
    withExtendedLifetime(token) {}
  }

  @Test("REC-06: a cause that has fallen off its tape is older than the recording")
  func older() {
    let insight = Insight(on: time)
    let boat = Aggregator(initial: Ship())
    let recorder = insight.record(boat, as: "boat", last: 3)
    let token = boat.select(\.speed).subscribe { speed in
      guard speed == 1 else { return }
      for name in ["a", "b", "c", "d"] { boat.send(.name(name)) }
    }
    boat.send(.speed(1))

    let why = recorder.why(\.name)
    #expect(why.links.map(\.number) == [5])
    #expect(why.end == .older(Cause(lane: recorder.recording.lane, number: 1), lane: "boat"))
    #expect("\(why)".hasSuffix("by boat #1, which is older than the recording"))
    withExtendedLifetime(token) {}
  }

  @Test("without a base, the value is known and its reason is not")
  func withoutBase() {
    let boat = Aggregator(initial: Ship())
    let recorder = Insight(on: time).record(boat, as: "boat", keepingBase: false)
    boat.send(.speed(1))
    #expect(recorder.why(\.speed).end == .withoutStates)
    #expect(recorder.why(\.speed).value == "1.0")
    #expect(recorder.why(event: 1).links.count == 1)
  }

  @Test("a long chain prints its newest and its oldest links")
  func longChain() {
    let boat = Aggregator(initial: Ship())
    let recorder = Insight(on: time).record(boat, as: "boat")
    let token = boat.select(\.speed).subscribe { if $0 > 0, $0 < 100 { boat.send(.speed($0 + 1)) } }
    boat.send(.speed(1))
    let why = recorder.why(\.speed)
    #expect(why.links.map(\.number) == (1...100).reversed())
    let lines = "\(why)".split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines[16] == "  … 81 more …")
    withExtendedLifetime(token) {}
  }

  @Test("REC-05: an insight keeps no recorder alive, and a recorder keeps its insight")
  func lifetimes() {
    let boat = Aggregator(initial: Ship())
    weak var insight: Insight?
    weak var weakRecorder: FlightRecorder<Ship>?
    do {
      let strong = Insight(on: time)
      let recorder = strong.record(boat, as: "boat")
      insight = strong
      weakRecorder = recorder
      #expect(strong.timeline.lanes.map(\.name) == ["boat"])
      boat.send(.speed(1))
      #expect(recorder.why(\.speed).links.count == 1)
    }
    #expect(insight == nil && weakRecorder == nil)
  }

  @Test("REC-07: a timeline has causes before effects, lanes in their order, and what has changed")
  func timeline() {
    let insight = Insight(on: time)
    let (boat, pilot) = (Aggregator(initial: Ship()), Aggregator(initial: Ship()))
    let recorders = [insight.record(boat, as: "boat"), insight.record(pilot, as: "pilot")]
    let again = insight.record(boat, as: "again")
    let token = pilot.events.subscribe { boat.send($0) }
    time.advance(by: .seconds(1))
    boat.send(.speed(1))
    pilot.send(.heading(2))
    time.advance(by: .seconds(1))
    boat.send(.speed(1))
    boat.send(.crew(["b", "a"]))

    let timeline = insight.timeline
    let lanes = recorders.map(\.recording.lane)
    #expect(timeline.lanes.map(\.number) == lanes)
    #expect(timeline.lanes.map(\.name) == ["boat", "pilot"])
    #expect(timeline.lanes[0].initial.map(\.path) == [".heading", ".speed", ".name", ".crew"])
    let expected = [(0, 1), (1, 1), (0, 2), (0, 3), (0, 4)]
    #expect(timeline.occurrences.map(\.id) == expected.map { Cause(lane: lanes[$0.0], number: $0.1) })
    #expect(timeline.occurrences.map(\.time) == [1, 1, 1, 2, 2].map { .seconds($0) })
    #expect(timeline.occurrences[2].cause == timeline.occurrences[1].id)
    #expect(timeline.occurrences[2].changes == [Timeline.Change(path: ".heading", old: "0.0", new: "2.0")])
    #expect(timeline.occurrences[3].changes == [])
    #expect(timeline.occurrences[4].changes.map(\.new) == ["[\"a\", \"b\"]"])
    #expect(recorders[1].recording.timeline.occurrences.count == 1)
    withExtendedLifetime((again, token)) {}
  }
}

/// A state with fields that do not equal themselves, and one that cannot be compared.
private struct Mast: AggregateState {
  struct Wind: Equatable, Sendable {
    var speed = 0.0
    var gust = Double.nan
  }

  struct Sail: Sendable { var reefs = 0 }

  enum Course: Equatable, Sendable { case unknown, set(Double) }

  enum Event: Sendable {
    case speed(Double)
    case sail(Int)
    case tick
    /// The same values once more, in memory of their own.
    case again
  }

  var wind = Wind()
  var sail = Sail()
  var course = Course.unknown
  var gusts = [1, Double.nan]
  var logs = ["a": Wind(), "b": Wind(), "c": Wind()]
  var ticks = 0

  mutating func apply(_ event: Event) {
    switch event {
    case .speed(let speed): wind.speed = speed
    case .sail(let reefs): sail.reefs = reefs
    case .tick: ticks += 1
    case .again:
      gusts = gusts.map { $0 }
      logs = Dictionary(uniqueKeysWithValues: logs.sorted { $0.key > $1.key })
    }
  }
}
