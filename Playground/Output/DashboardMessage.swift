/// What is told to the user in the last line of a dashboard.
struct DashboardMessage: Equatable, Sendable {
  private(set) var text: String
  /// The source whose failure it tells of; `nil` for what holds on.
  private let source: String?
  private var hasFailed = false

  /// - Parameter source: the name of a source that is about to fail. The message goes when it has come back.
  init(_ text: String, untilBack source: String? = nil) {
    self.text = text
    self.source = source
  }

  /// Takes in how the sources are.
  mutating func follow(_ statuses: [SourceStatus]) {
    guard let status = statuses.first(where: { $0.name == source }) else { return }
    if status.condition != .connected {
      hasFailed = true
    } else if hasFailed {
      self = DashboardMessage("")
    }
  }
}
