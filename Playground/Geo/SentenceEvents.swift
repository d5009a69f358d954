/// Everything that can happen to a navigation state. Time passing and the end of the input happen to it, too.
enum NavigationEvent: Codable, Equatable, Sendable {
  case heading(HeadingReading)
  case fix(Fix)
  case depth(DepthReading)
  case wind(Wind)

  /// A receiver says that it has no fix, or that it simulates one.
  case noFix
  /// A sentence in order that brings no value: empty fields, the time of day.
  case empty
  /// A sentence in order of a kind that is not read here.
  case unknown
  /// A line that begins like a sentence and is none.
  case rejected
  /// A line that does not even begin like one.
  case noise
  /// A comment, which recordings begin with `#`.
  case comment

  /// So much time has passed since the start.
  case time(Duration)
  /// The run goes on after a pause: the time since its start begins anew.
  case resumed
  /// The input can no longer be read, for this reason.
  case failed(String)
  /// There is nothing more to come.
  case end

  /// The names of the events that the summary names in any case.
  static let names = ["heading", "fix", "depth", "wind", "time", "noFix", "empty", "unknown", "rejected", "noise"]
}

/// What each kind of sentence means: the one place that knows the order of their fields.
extension NavigationEvent {
  init(_ sentence: Sentence) {
    guard sentence.hasFix != false else {
      self = .noFix
      return
    }
    self =
      switch sentence.formatter {
      // Compass heading, deviation, E/W, variation, E/W. An empty deviation means it is corrected already.
      case "HDG":
        Self.heading(
          .compass,
          magnetic: sentence.angle(0).map { Compass.normalized(degrees: $0 + (sentence.eastward(1) ?? 0)) },
          variation: sentence.eastward(3)
        )
      case "HDT": Self.heading(.gyro, true: sentence.angle(0))
      case "HDM": Self.heading(.magneticCompass, magnetic: sentence.angle(0))
      // Time, status, position (4 fields), knots, course, date, variation, E/W, mode.
      case "RMC" where sentence.hasFix == true:
        Self.position(
          Fix(
            location: sentence.location(2),
            speed: sentence.knots(6),
            course: sentence.angle(7),
            variation: sentence.eastward(9)
          )
        )
      // Time, position (4 fields), quality and more.
      case "GGA" where sentence.hasFix == true: Self.position(Fix(location: sentence.location(1)))
      // Metres below the transducer, and its offset, which few installations set right.
      case "DPT": Self.depth(.dpt, metres: sentence.number(0))
      // The same depth in feet, metres and fathoms.
      case "DBT": Self.depth(.dbt, metres: sentence.text(3) == "M" ? sentence.number(2) : nil)
      case "MWV": Self.windSpeedAndAngle(sentence)
      case "RMC", "GGA": .empty
      default: .unknown
      }
  }

  private static func heading(
    _ instrument: HeadingReading.Instrument,
    true trueDegrees: Double? = nil,
    magnetic: Double? = nil,
    variation: Double? = nil
  ) -> Self {
    let reading = HeadingReading(
      instrument: instrument,
      trueDegrees: trueDegrees,
      magneticDegrees: magnetic,
      variation: variation
    )
    return trueDegrees == nil && magnetic == nil && variation == nil ? .empty : .heading(reading)
  }

  private static func position(_ fix: Fix) -> Self { fix == Fix() ? .empty : .fix(fix) }

  private static func depth(_ form: DepthReading.Form, metres: Double?) -> Self {
    guard let metres, metres >= 0 else { return .empty }
    return .depth(DepthReading(form: form, metres: metres))
  }

  /// MWV: angle, reference, speed, unit, status.
  private static func windSpeedAndAngle(_ sentence: Sentence) -> Self {
    let references: [String: Wind.Reference] = ["R": .relative, "T": .true]
    // Kilometres an hour, metres a second, knots.
    let units: [String: Double] = ["K": 1 / 3.6, "M": 1, "N": knot]
    guard
      sentence.text(4) == "A", let angle = sentence.angle(0),
      let speed = sentence.number(2), speed >= 0,
      let unit = sentence.text(3).flatMap({ units[$0] }),
      let reference = sentence.text(1).flatMap({ references[$0] })
    else { return .empty }
    return .wind(Wind(angle: angle, speed: speed * unit, reference: reference))
  }
}

extension Sentence {
  /// The time of day the sentence is about, if it is of a kind that says so.
  var timeOfDay: Duration? { formatter == "RMC" || formatter == "GGA" ? timeOfDay(0) : nil }

  /// Whether its receiver has a fix; `nil` if the sentence does not say. A fix that is simulated is none.
  fileprivate var hasFix: Bool? {
    switch formatter {
    // Older devices send no mode. `N` is none, `S` is a simulator.
    case "RMC" where text(1) == "A": text(11) != "N" && text(11) != "S"
    case "RMC" where text(1) == "V": false
    // 0 is none, 8 is a simulator.
    case "GGA": number(5).map { $0 > 0 && $0 != 8 }
    default: nil
    }
  }

  /// A speed in knots, as metres per second.
  fileprivate func knots(_ index: Int) -> Double? { number(index).flatMap { $0 >= 0 ? $0 * knot : nil } }
}
