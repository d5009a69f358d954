/// How the lines of the input turned out.
struct Reception: Codable, Equatable, Sendable {
  /// Lines that begin like a sentence.
  private(set) var sentences = 0
  /// Sentences with a missing or misplaced part, or too long.
  private(set) var misshapen = 0
  /// Sentences that do not add up to their checksum.
  private(set) var damaged = 0
  /// Sentences in order, of a kind that is not read here.
  private(set) var unknown = 0
  /// Sentences in order that bring no value.
  private(set) var empty = 0
  /// Lines and parts of lines that are neither a sentence nor a comment.
  private(set) var noise = 0
  /// The bytes of them.
  private(set) var noiseBytes = 0

  /// Sentences with a bad shape or checksum.
  var rejected: Int { misshapen + damaged }

  mutating func count(_ event: NavigationEvent) {
    switch event {
    case .heading, .fix, .depth, .wind: sentences += 1
    case .empty, .noFix:
      sentences += 1
      empty += 1
    case .unknown:
      sentences += 1
      unknown += 1
    case .rejected(.shape):
      sentences += 1
      misshapen += 1
    case .rejected(.checksum):
      sentences += 1
      damaged += 1
    case .noise(let bytes):
      noise += 1
      noiseBytes += bytes
    case .comment, .time, .resumed, .failed, .end: break
    }
  }
}
