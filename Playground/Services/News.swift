import Aggregate
import RASPServices

/// What happens around the program.
enum ProgramAction: Action, Equatable {
  case launched
  /// It is time to end.
  case closing
}

/// What people do about who they are.
enum IdentityAction: Action, Equatable {
  case login(String)
  case logout
}

/// What happens to the articles.
enum ArticlesAction: Action, Equatable {
  case load
  case loaded([Article])
  /// The network says that there is something new.
  case published(id: Int)
}

/// What went wrong, as an action like any other.
enum ProblemAction: Action, Equatable {
  case failed(String)
}

/// What there is to read.
struct ArticlesState: Equatable, Sendable {
  var isLoading = false
  var articles: [Article] = []
}

/// What has happened in the cluster, as the events of an aggregator.
enum NewsEvent: Sendable {
  /// The articles have changed.
  case articles(ArticlesState)
  case identity(IdentityAction)
  case problem(ProblemAction)
}

/// What is shown of the cluster.
struct NewsState: AggregateState {
  private(set) var articles = ArticlesState()
  private(set) var user: String?
  private(set) var problem: String?

  mutating func apply(_ event: NewsEvent) {
    switch event {
    case .articles(let articles): self.articles = articles
    case .identity(.login(let name)): user = name
    case .identity(.logout): user = nil
    case .problem(.failed(let reason)): problem = reason
    }
  }

  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<NewsState>] = [
    ExplainedField("articles", \.articles.articles),
    ExplainedField("user", \.user),
    ExplainedField("problem", \.problem),
  ]
}
