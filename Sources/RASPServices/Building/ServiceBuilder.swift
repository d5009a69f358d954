/// Makes a list of services of the statements in braces: any number of them, with `if`, `else`, `switch`, `for` and
/// optionals.
///
/// Every statement is checked by itself and becomes one and the same type, so the time to compile a tree grows with its
/// size and no faster.
@resultBuilder
public enum ServiceBuilder {
  /// One service.
  public static func buildExpression(_ service: some Service) -> ServiceList {
    ServiceList([service])
  }

  /// A service of unknown type.
  @_disfavoredOverload
  public static func buildExpression(_ service: any Service) -> ServiceList {
    ServiceList([service])
  }

  /// A service, if there is one.
  @_disfavoredOverload
  public static func buildExpression(_ service: (any Service)?) -> ServiceList {
    ServiceList(service.map { [$0] } ?? [])
  }

  /// All statements, in order.
  public static func buildBlock(_ parts: ServiceList...) -> ServiceList {
    ServiceList(parts.flatMap(\.services))
  }

  /// `if` without `else`.
  public static func buildOptional(_ part: ServiceList?) -> ServiceList {
    part ?? ServiceList([])
  }

  /// The first branch of `if` or `switch`.
  public static func buildEither(first part: ServiceList) -> ServiceList { part }

  /// The second branch of `if` or `switch`.
  public static func buildEither(second part: ServiceList) -> ServiceList { part }

  /// `for`.
  public static func buildArray(_ parts: [ServiceList]) -> ServiceList {
    ServiceList(parts.flatMap(\.services))
  }

  /// `if #available`.
  public static func buildLimitedAvailability(_ part: ServiceList) -> ServiceList { part }
}
