/// Takes what an operation delivers, so that the compiler cannot leave the operation out.
///
/// It is `@unchecked Sendable` because each row uses its own, and a row that is counted runs on one thread; of the
/// others the sum is not read.
public final class Sink: @unchecked Sendable {
  /// The sum of the numbers that it has taken; each other value counts one.
  @exclusivity(unchecked) public var sum = 0

  /// A sink that has taken nothing.
  @inlinable
  public init() {}

  /// Takes a number.
  @inlinable
  public func see(_ number: Int) {
    sum &+= number
  }

  /// Takes a value of any type, without looking at it.
  @inlinable
  public func see<Value>(_ value: Value) {
    sum &+= 1
    withExtendedLifetime(value) {}
  }
}
