/// A service of this library, which makes its nodes itself and has no body.
///
/// The builder finds it with a dynamic cast, so that the public protocol requires a body and nothing else.
protocol PrimitiveService: Service {
  /// Makes the nodes of this service in a context: none, one, or several side by side.
  @MainActor
  func nodes(in context: BuildContext, with builder: TreeBuilder) -> [Node]
}
