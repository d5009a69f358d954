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
