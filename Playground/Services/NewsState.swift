import Aggregate
import RASPInsight

/// What has happened in the cluster, as values that a file can hold.
enum NewsEvent: Codable, Sendable {
  /// The articles have changed.
  case articles(ArticlesState)
  case login(String)
  case logout
  case problem(String)
}

extension NewsEvent {
  init(_ action: IdentityAction) {
    self =
      switch action {
      case .login(let name): .login(name)
      case .logout: .logout
      }
  }

  init(_ action: ProblemAction) {
    self =
      switch action {
      case .failed(let reason): .problem(reason)
      }
  }
}

/// What is shown of the cluster.
struct NewsState: AggregateState, Codable {
  private(set) var articles = ArticlesState()
  private(set) var user: String?
  private(set) var problem: String?

  mutating func apply(_ event: NewsEvent) {
    switch event {
    case .articles(let articles): self.articles = articles
    case .login(let name): user = name
    case .logout: user = nil
    case .problem(let reason): problem = reason
    }
  }
}

extension NewsState {
  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<NewsState>] = [
    ExplainedField("articles", \.articles.articles),
    ExplainedField("user", \.user),
    ExplainedField("problem", \.problem),
  ]
}
