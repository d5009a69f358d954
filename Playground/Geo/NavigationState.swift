import Aggregate

/// What is known about a vessel's motion: many instruments, each with its own sentences at its own rate, folded
/// into one consistent state.
///
/// The state changes only by events, and time is one of them. So the same events give the same state, whether
/// they come from a receiver or from a recording read a thousand times faster.
struct NavigationState: AggregateState, Codable {
  var heading: Heading? { freshHeading.value }
  var location: Location? { freshLocation.value }
  /// Over ground, in metres per second.
  var speed: Double? { freshSpeed.value }
  /// Over ground, in degrees from geographic north.
  var course: Double? { freshCourse.value }
  /// Below the transducer, in metres.
  var depth: Double? { freshDepth.value }
  var wind: Wind? { freshWind.value }
  /// Whether the input has ended, be it that it can no longer be read.
  private(set) var hasEnded = false
  /// Why the input can no longer be read.
  private(set) var failure: String?

  private var freshHeading = Fresh<Heading>()
  private var freshLocation = Fresh<Location>()
  private var freshSpeed = Fresh<Double>()
  private var freshCourse = Fresh<Double>()
  private var freshDepth = Fresh<Double>()
  private var freshWind = Fresh<Wind>()
  /// From geographic to magnetic north. It changes over years and hundreds of miles, so it never goes stale.
  private var variation: Double?
  private var now: Duration = .zero
  /// When the present run began; `nil` for the first one.
  private var start: Duration?

  mutating func apply(_ event: NavigationEvent) {
    switch event {
    case .heading(let reading): fold(reading)
    case .fix(let fix): fold(fix)
    case .depth(let depth): freshDepth.hear(depth.metres, rank: depth.form.rawValue, at: now)
    case .wind(let wind): freshWind.hear(wind, rank: wind.reference == .relative ? 1 : 0, at: now)
    case .noFix: forgetFix()
    case .time(let time): advance(to: (start ?? .zero) + time)
    case .resumed: (hasEnded, failure, start) = (false, nil, now)
    case .empty, .unknown, .rejected, .noise, .comment: break
    case .failed(let reason): (hasEnded, failure) = (true, reason)
    case .end: hasEnded = true
    }
  }

  /// A true heading is better than a magnetic one, whatever the instrument; between two of the same reference
  /// the better instrument has the word.
  private mutating func fold(_ reading: HeadingReading) {
    variation = reading.variation ?? variation
    let corrected = reading.magneticDegrees.flatMap { magnetic in
      variation.map { Compass.normalized(degrees: magnetic + $0) }
    }
    if let degrees = reading.trueDegrees ?? corrected {
      let rank = 1 + reading.instrument.rawValue
      freshHeading.hear(Heading(degrees: degrees, reference: .true), rank: rank, at: now)
    } else if let degrees = reading.magneticDegrees {
      freshHeading.hear(Heading(degrees: degrees, reference: .magnetic), rank: 0, at: now)
    }
  }

  /// What a fix leaves out stays as it was.
  private mutating func fold(_ fix: Fix) {
    freshLocation.hear(fix.location, at: now)
    freshSpeed.hear(fix.speed, at: now)
    freshCourse.hear(fix.course, at: now)
    variation = fix.variation ?? variation
  }

  /// What a receiver without a fix has told before is not known any more.
  private mutating func forgetFix() {
    freshLocation.forget()
    freshSpeed.forget()
    freshCourse.forget()
  }

  /// Time never runs backwards here, whatever the source of time does.
  private mutating func advance(to time: Duration) {
    now = max(now, time)
    freshHeading.expire(at: now)
    freshLocation.expire(at: now)
    freshSpeed.expire(at: now)
    freshCourse.expire(at: now)
    freshDepth.expire(at: now)
    freshWind.expire(at: now)
  }
}
