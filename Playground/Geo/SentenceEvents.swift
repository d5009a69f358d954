/// What each kind of sentence means: the one place that knows the order of their fields.
extension NavigationEvent {
  init(_ sentence: Sentence) {
    guard sentence.hasFix != false else {
      self = .noFix(talker: String(sentence.talker))
      return
    }
    self =
      switch sentence.formatter {
      case "HDG": Self.headingWithVariation(sentence)
      case "HDT": Self.heading(.gyro, true: sentence.angle(0))
      case "HDM": Self.heading(.magneticCompass, magnetic: sentence.angle(0))
      case "VHW": Self.headingFromLog(sentence)
      case "RMC": Self.recommendedMinimum(sentence)
      case "GGA": Self.fixData(sentence)
      case "GLL": Self.geographicPosition(sentence)
      case "VTG": Self.courseAndSpeed(sentence)
      case "DPT": Self.depth(.dpt, metres: sentence.number(0))
      case "DBT": Self.depth(.dbt, metres: sentence.metresBelowTransducer)
      case "MWV": Self.windSpeedAndAngle(sentence)
      case "ZDA": .empty
      default: .unknown
      }
  }

  // MARK: Heading

  /// HDG: compass heading, deviation, E/W, variation, E/W. An empty deviation means it is corrected already.
  private static func headingWithVariation(_ sentence: Sentence) -> Self {
    let deviation = sentence.eastward(1) ?? 0
    let magnetic = sentence.angle(0).map { Compass.normalized(degrees: $0 + deviation) }
    return heading(.compass, magnetic: magnetic, variation: sentence.eastward(3))
  }

  /// VHW: true heading, T, magnetic heading, M, speed through water twice.
  private static func headingFromLog(_ sentence: Sentence) -> Self {
    let degrees = sentence.angle(0)
    return heading(degrees == nil ? .magneticCompass : .log, true: degrees, magnetic: sentence.angle(2))
  }

  private static func heading(
    _ instrument: HeadingReading.Instrument,
    true trueDegrees: Double? = nil,
    magnetic: Double? = nil,
    variation: Double? = nil
  ) -> Self {
    guard trueDegrees != nil || magnetic != nil || variation != nil else { return .empty }
    return .heading(
      HeadingReading(
        instrument: instrument,
        trueDegrees: trueDegrees,
        magneticDegrees: magnetic,
        variation: variation
      )
    )
  }

  // MARK: Position, course and speed

  /// RMC: time, status, position (4 fields), knots, course, date, variation, E/W, mode.
  private static func recommendedMinimum(_ sentence: Sentence) -> Self {
    guard sentence.hasFix == true else { return .empty }
    return position(
      Fix(
        talker: String(sentence.talker),
        location: sentence.location(2),
        speed: sentence.knots(6),
        course: sentence.angle(7),
        variation: sentence.eastward(9)
      )
    )
  }

  /// GGA: time, position (4 fields), quality, satellites, dilution, altitude and more.
  private static func fixData(_ sentence: Sentence) -> Self {
    // Without a position its quality says nothing.
    guard sentence.hasFix == true, let location = sentence.location(1) else { return .empty }
    return position(Fix(talker: String(sentence.talker), location: location, quality: sentence.fixQuality))
  }

  /// GLL: position (4 fields), time, status, mode. The oldest devices end after the position.
  private static func geographicPosition(_ sentence: Sentence) -> Self {
    guard sentence.text(5) == nil || sentence.hasFix == true else { return .empty }
    return position(Fix(talker: String(sentence.talker), location: sentence.location(0)))
  }

  /// VTG: course, T, magnetic course, M, speed, N, speed, K, mode.
  private static func courseAndSpeed(_ sentence: Sentence) -> Self {
    let kilometresPerHour = sentence.number(6, unit: "K").flatMap { $0 >= 0 ? $0 / 3.6 : nil }
    let knots = sentence.text(5) == "N" ? sentence.knots(4) : nil
    return position(
      Fix(
        talker: String(sentence.talker),
        speed: knots ?? kilometresPerHour,
        course: sentence.text(1) == "T" ? sentence.angle(0) : nil
      )
    )
  }

  private static func position(_ fix: Fix) -> Self {
    fix == Fix(talker: fix.talker) ? .empty : .fix(fix)
  }

  // MARK: Depth and wind

  /// DPT: metres below the transducer, the offset of the transducer, the range in use. The offset, which
  /// would turn it into a depth below the surface or the keel, is left out: few installations set it right.
  private static func depth(_ form: DepthReading.Form, metres: Double?) -> Self {
    guard let metres, metres >= 0 else { return .empty }
    return .depth(DepthReading(form: form, metres: metres))
  }

  /// MWV: angle, reference, speed, unit, status.
  private static func windSpeedAndAngle(_ sentence: Sentence) -> Self {
    guard
      sentence.text(4) == "A",
      let angle = sentence.angle(0),
      let speed = sentence.number(2), speed >= 0,
      let metresPerSecond = sentence.text(3).flatMap({ metresPerSecond[$0] })
    else { return .empty }
    switch sentence.text(1) {
    case "R": return .wind(Wind(angle: angle, speed: speed * metresPerSecond, reference: .relative))
    case "T": return .wind(Wind(angle: angle, speed: speed * metresPerSecond, reference: .true))
    default: return .empty
    }
  }

  /// The standard's units of speed: kilometres an hour, metres a second, knots, statute miles an hour.
  private static let metresPerSecond = ["K": 1 / 3.6, "M": 1, "N": knot, "S": 0.447_04]
}

/// In metres per second.
private let knot = 1852.0 / 3600

extension Sentence {
  /// The time of day the sentence is about, if it is of a kind that says so.
  var timeOfDay: Duration? {
    switch formatter {
    case "RMC", "GGA", "ZDA": timeOfDay(0)
    case "GLL": timeOfDay(4)
    default: nil
    }
  }

  /// A speed in knots, as metres per second.
  fileprivate func knots(_ index: Int) -> Double? {
    number(index).flatMap { $0 >= 0 ? $0 * knot : nil }
  }

  /// GGA: 4 and 5 are positions to the centimetre, with and without whole cycles of the carrier.
  fileprivate var fixQuality: FixQuality? {
    let kinds: [Double: FixQuality.Kind] = [
      1: .autonomous, 2: .differential, 3: .precise, 4: .fixed, 5: .float, 6: .estimated, 7: .manual,
    ]
    let satellites = number(6).flatMap { Int(exactly: $0) }
    return number(5).flatMap { kinds[$0] }.map { FixQuality(kind: $0, satellites: satellites) }
  }

  /// DBT: the same depth in feet, metres and fathoms.
  fileprivate var metresBelowTransducer: Double? {
    number(2, unit: "M")
      ?? number(0, unit: "f").map { $0 * 0.3048 }
      ?? number(4, unit: "F").map { $0 * 1.8288 }
  }
}
