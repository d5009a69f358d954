// What the blocks of the landing page of `RASPServices` use and do not show.

import RASPServices
import RASPTesting

struct Identity: Sendable, Equatable {
  var name = ""
}

struct Analytics: Sendable {
  func note(_ action: any Action) {}
}

struct AnalyticsKey: EnvironmentKey {
  static let defaultValue = Analytics()
}

extension EnvironmentValues {
  var analytics: Analytics { self[AnalyticsKey.self] }
}

struct ArticlesState: Sendable {}
struct API: Sendable {}
enum ArticlesAction: Action { case load }

extension Reducers {
  static let articles: Reducer<ArticlesState, ArticlesAction, API>.Reduce = { _, _ in nil }
}

@MainActor
final class List {
  func show(_ state: ArticlesState) {}
}

struct Log: Sendable {
  func warning(_ text: String) {}
}

let log = Log()
let api = API()
@MainActor let list = List()
let notifications = AsyncStream<any Action> { nil }
let recorder = ActionRecorder()
