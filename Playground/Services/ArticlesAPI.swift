import RASPServices

struct Article: Equatable, Sendable {
  let id: Int
  let title: String
}

/// The world outside, as the articles see it: made up here, so that it always does the same.
struct ArticlesAPI: Sendable {
  struct NotFound: Error, CustomStringConvertible {
    let id: Int
    var description: String { "there is no article \(id)" }
  }

  var articles: @Sendable () async throws -> [Article] = {
    [Article(id: 0, title: "Harbour opens")]
  }

  /// Every fourth article is not there any more.
  var article: @Sendable (_ id: Int) async throws -> Article = { id in
    if id.isMultiple(of: 4) { throw NotFound(id: id) }
    return Article(id: id, title: "Ship \(id) arrives")
  }
}

private struct ArticlesAPIKey: EnvironmentKey {
  static let defaultValue = ArticlesAPI()
}

extension EnvironmentValues {
  /// Where articles come from.
  var articlesAPI: ArticlesAPI {
    get { self[ArticlesAPIKey.self] }
    set { self[ArticlesAPIKey.self] = newValue }
  }
}
