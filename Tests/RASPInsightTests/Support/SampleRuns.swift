import RASPInsight
import RASPSupport
import Streams
import TestSupport

/// Timelines for the tests of the drawings.
enum SampleRuns {
  /// The run of a small receiver: a compass, a shop of commands that turn the boat, and the actions of an application.
  static func receiver(count: Int, seed: UInt64 = 1) -> Timeline {
    var generator = SplitMix(seed: seed)
    var run = Receiver()
    while run.occurrences.count < count { run.advance(&generator) }
    return Timeline(lanes: Receiver.lanes, occurrences: Array(run.occurrences.prefix(count)))
  }

  /// A timeline that no recorder makes: with hostile texts, causes that are not there or that come later, times that go
  /// back, lanes that are not listed, and identities that occur twice.
  static func hostile(seed: UInt64, count: Int = 60) -> Timeline {
    var generator = SplitMix(seed: seed)
    let laneCount = Int.random(in: 0...5, using: &generator)
    let lanes = (0..<laneCount).map { number in
      Timeline.Lane(
        number: number + 1,
        name: text(&generator),
        kind: [.aggregator, .engine, .cluster][number % 3],
        initial: (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          Timeline.Field(path: text(&generator), value: text(&generator))
        }
      )
    }
    let occurrences = (0..<Int.random(in: 0...count, using: &generator)).map { number in
      Timeline.Occurrence(
        id: Cause(lane: Int.random(in: 0...6, using: &generator), number: number - number % 7 / 6),
        time: time(&generator),
        duration: Bool.random(using: &generator) ? time(&generator) : nil,
        label: text(&generator),
        cause: Cause(
          lane: Int.random(in: 0...6, using: &generator),
          number: Int.random(in: 0...count, using: &generator)
        ),
        failure: Int.random(in: 0...4, using: &generator) == 0 ? text(&generator) : nil,
        changes: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          Timeline.Change(
            path: text(&generator),
            old: Bool.random(using: &generator) ? text(&generator) : nil,
            new: Bool.random(using: &generator) ? text(&generator) : nil
          )
        }
      )
    }
    return Timeline(lanes: lanes, occurrences: occurrences)
  }

  /// Texts that end what they are written into, cannot be seen, or turn the direction.
  static let hostileTexts = [
    "", " ", "\"", "'", "\\", "</script>", "<!--<script>", "]]>", "&amp;", "<b>&</b>", "a\nb\r\nc\td",
    "\u{0}\u{1}\u{1F}\u{7F}",
    "\u{2028}\u{2029}", "\u{202E}evil\u{2066}", "שלום עולם", "مرحبا", "👩‍👩‍👧‍👦🧭🇳🇱", "e\u{301}é", "\u{FEFF}", "\u{FFFF}",
    "${x}`", "{{7*7}}", "日本語の長い名前", String(repeating: "long ", count: 2_000), ".heading(91.0)",
  ]

  private static func text(_ generator: inout SplitMix) -> String {
    let first = hostileTexts.randomElement(using: &generator) ?? ""
    return Bool.random(using: &generator) ? first : first + (hostileTexts.randomElement(using: &generator) ?? "")
  }

  private static func time(_ generator: inout SplitMix) -> Duration {
    switch Int.random(in: 0...19, using: &generator) {
    case 0: .seconds(Int64.max)
    case 1: .seconds(Int64.min)
    case 2: .nanoseconds(Int.random(in: -5...5, using: &generator))
    default: .milliseconds(Int.random(in: 0...50, using: &generator))
    }
  }
}

/// Makes the events of a receiver, as time goes on.
private struct Receiver {
  static let lanes = [
    Timeline.Lane(
      number: 1,
      name: "geo",
      kind: .aggregator,
      initial: [
        Timeline.Field(path: ".fixes", value: "0"), Timeline.Field(path: ".heading", value: "nil"),
        Timeline.Field(path: ".location.latitude", value: "52.85016"),
        Timeline.Field(path: ".location.longitude", value: "4.70112"), Timeline.Field(path: ".quality", value: ".gps"),
        Timeline.Field(path: ".satellites", value: "[]"), Timeline.Field(path: ".speed", value: "0.0"),
      ]
    ),
    Timeline.Lane(number: 2, name: "shop", kind: .engine, initial: []),
    Timeline.Lane(number: 3, name: "app", kind: .cluster, initial: []),
    Timeline.Lane(
      number: 4,
      name: "pilot",
      kind: .aggregator,
      initial: [Timeline.Field(path: ".rudder", value: "0"), Timeline.Field(path: ".turns", value: "0")]
    ),
  ]

  var occurrences: [Timeline.Occurrence] = []
  private var milliseconds = 80_400
  private var numbers = [1: 0, 2: 0, 3: 0, 4: 0]
  private var fields: [Int: [String: String]] = Dictionary(
    uniqueKeysWithValues: Self.lanes.map { lane in
      (lane.number, Dictionary(uniqueKeysWithValues: lane.initial.map { ($0.path, $0.value) }))
    }
  )
  private var heading = 359.0
  private var turns = 0

  mutating func advance(_ generator: inout SplitMix) {
    milliseconds += Int.random(in: 20...140, using: &generator)
    let fixes = (numbers[1] ?? 0) + 1
    let latitude = "52.\(85_016 + fixes / 3)"
    let (speed, satellites) = (fixes % 4, Int.random(in: 4...12, using: &generator))
    switch Int.random(in: 0...9, using: &generator) {
    case 0:
      turn(&generator)
    case 1:
      note(
        1,
        ".satellites([…\(satellites)])",
        [".satellites": nil, ".satellites[0].snr": "\(satellites + 30)", ".satellites[1].snr": "\(satellites + 20)"]
      )
    case 2:
      note(1, ".quality(.none)", [:], failure: "the fix is older than the one before")
    case 3...5:
      heading = (heading + 1.5).truncatingRemainder(dividingBy: 360)
      note(1, ".heading(\(heading))", [".heading": "\(heading)", ".fixes": "\(fixes)"])
    default:
      note(
        1,
        ".location(Location(latitude: \(latitude), longitude: 4.7))",
        [".location.latitude": latitude, ".speed": "\(speed).5", ".fixes": "\(fixes)"]
      )
    }
  }

  /// An action that makes a command, which turns the rudder, whose event the geometry hears of.
  private mutating func turn(_ generator: inout SplitMix) {
    let location = note(1, ".location(Location(latitude: 52.9, longitude: 4.7))", [".location.latitude": "52.9"])
    let action = note(3, "PilotAction.turn(by: 12)", [:], cause: location, took: 30)
    milliseconds += 1
    let command = note(2, "TurnBoat(by: 12)", [:], cause: action, took: Int.random(in: 5...25, using: &generator))
    milliseconds += Int.random(in: 0...20, using: &generator)
    turns += 1
    let failed = turns % 5 == 0
    let data = note(2, "TurnBoat, data", [:], cause: command, failure: failed ? "the rudder does not answer" : nil)
    guard !failed else { return }
    note(4, ".rudder(12)", [".rudder": "\(12 - turns % 3)", ".turns": "\(turns)"], cause: data)
    heading = (heading + 12).truncatingRemainder(dividingBy: 360)
    note(1, ".heading(\(heading))", [".heading": "\(heading)"], cause: data)
  }

  @discardableResult
  private mutating func note(
    _ lane: Int,
    _ label: String,
    _ new: [String: String?],
    cause: Cause = .unknown,
    took milliseconds: Int? = nil,
    failure: String? = nil
  ) -> Cause {
    let number = (numbers[lane] ?? 0) + 1
    numbers[lane] = number
    let changes = new.sorted { $0.key < $1.key }.compactMap { path, value -> Timeline.Change? in
      let old = fields[lane]?[path]
      fields[lane]?[path] = value
      return old == value ? nil : Timeline.Change(path: path, old: old, new: value)
    }
    let id = Cause(lane: lane, number: number)
    occurrences.append(
      Timeline.Occurrence(
        id: id,
        time: .milliseconds(self.milliseconds),
        duration: milliseconds.map { .milliseconds($0) },
        label: label,
        cause: cause,
        failure: failure,
        changes: changes
      )
    )
    return id
  }
}
