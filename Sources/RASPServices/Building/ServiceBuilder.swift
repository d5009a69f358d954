/// Makes a list of services of the statements in braces. There may be any number of them, with `if`, `else`, `switch`,
/// `for` and optionals.
///
/// - Complexity: the compiler checks each statement by itself and gives it the same type, so the time to compile a tree
///   grows with its size and no faster.
@resultBuilder
public enum ServiceBuilder {
  /// Adds a service.
  public static func buildExpression(_ service: some Service) -> ServiceList {
    ServiceList([service])
  }

  /// Adds a service whose type is not known at compile time.
  @_disfavoredOverload
  public static func buildExpression(_ service: any Service) -> ServiceList {
    ServiceList([service])
  }

  /// Adds a service, if there is one.
  @_disfavoredOverload
  public static func buildExpression(_ service: (any Service)?) -> ServiceList {
    ServiceList(service.map { [$0] } ?? [])
  }

  /// Joins all statements, in their order.
  public static func buildBlock(_ parts: ServiceList...) -> ServiceList {
    ServiceList(parts.flatMap(\.services))
  }

  /// Adds the services of an `if` without `else`.
  public static func buildOptional(_ part: ServiceList?) -> ServiceList {
    part ?? ServiceList([])
  }

  /// Adds the services of the first branch of `if` or `switch`.
  public static func buildEither(first part: ServiceList) -> ServiceList { part }

  /// Adds the services of the second branch of `if` or `switch`.
  public static func buildEither(second part: ServiceList) -> ServiceList { part }

  /// Adds the services of a `for` loop.
  public static func buildArray(_ parts: [ServiceList]) -> ServiceList {
    ServiceList(parts.flatMap(\.services))
  }

  /// Adds the services of `if #available`.
  public static func buildLimitedAvailability(_ part: ServiceList) -> ServiceList { part }
}
