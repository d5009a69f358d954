import RASPServices

/// The reducer form: a pure function changes the state, and says what else is to be done.
struct ArticlesService: Service {
  @Environment(\.articlesAPI) private var api

  var body: some Service {
    Reducer(state: ArticlesState(), context: api, reduce: Reducers.articles)
  }
}

extension Reducers {
  static let articles: Reducer<ArticlesState, ArticlesAction, ArticlesAPI>.Reduce = { state, action in
    switch action {
    case .load:
      state.isLoading = true
      return { dispatch, api in
        try await dispatch(ArticlesAction.loaded(try await api.articles()))
      }
    case .loaded(let articles):
      state.isLoading = false
      state.articles += articles
      return nil
    case .published(let id):
      return { dispatch, api in
        // If this throws, the error becomes an action: see the scenario.
        try await dispatch(ArticlesAction.loaded([try await api.article(id)]))
      }
    }
  }
}
