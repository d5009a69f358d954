/// How often something was delivered, for a row that checks that its work was done.
///
/// It is `@unchecked Sendable` because each row uses its own, on one thread at a time.
final class Tally: @unchecked Sendable {
  @exclusivity(unchecked) var count = 0
  @exclusivity(unchecked) var goal = 0

  func note() { count &+= 1 }
}
