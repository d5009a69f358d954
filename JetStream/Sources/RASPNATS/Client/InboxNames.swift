import Synchronization

/// Makes subjects for answers that no other client has.
///
/// - Concurrency: the number is atomic.
final class InboxNames: Sendable {
  /// Ten random characters and more are in it, so that two clients never have the same one.
  let identifier: String
  private let prefix: String
  private let count = Atomic<Int>(0)

  init(prefix: String) {
    let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    identifier = String((0..<22).map { _ in characters[Int.random(in: 0..<62)] })
    self.prefix = prefix
  }

  func next() -> String {
    // One word more than the answers of requests have, which a subscription with one wildcard receives.
    "\(prefix).\(identifier).in.\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }
}
