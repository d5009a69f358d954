/// A service that the library knows by itself: it is built, not asked for its body.
///
/// Found by a dynamic cast while building, so that the public protocol has nothing but a body.
protocol PrimitiveService: Service {
  /// What this service is at this place: nothing, one node, or several side by side.
  @MainActor
  func nodes(at place: Place, in building: Building) -> [Node]
}
