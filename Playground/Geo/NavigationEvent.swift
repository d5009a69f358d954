/// Everything that can happen to a navigation state. Time passing and the end of the input happen to it, too.
enum NavigationEvent: Codable, Equatable, Sendable {
  case heading(HeadingReading)
  case fix(Fix)
  case depth(DepthReading)
  case wind(Wind)

  /// A talker says that it has no fix, or that it simulates one.
  case noFix(talker: String)
  /// A sentence in order that brings no value: empty fields, the time of day.
  case empty
  /// A sentence in order of a kind that is not read here.
  case unknown
  /// A line that begins like a sentence and is none.
  case rejected(Sentence.Defect)
  /// So many bytes that do not even begin like one.
  case noise(bytes: Int)
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
}

extension NavigationEvent {
  /// The name under which the summary counts events of this kind.
  var name: String {
    switch self {
    case .heading: "heading"
    case .fix: "fix"
    case .depth: "depth"
    case .wind: "wind"
    case .empty: "empty"
    case .noFix: "noFix"
    case .unknown: "unknown"
    case .rejected: "rejected"
    case .noise: "noise"
    case .comment: "comment"
    case .time: "time"
    case .resumed: "resumed"
    case .failed: "failed"
    case .end: "end"
    }
  }

  /// The names of the events that carry values, in the order of the summary, and of the timer's.
  static let sourceNames = ["heading", "fix", "depth", "wind", "time"]
}
