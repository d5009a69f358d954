/// Types, as many as wanted, that differ from each other: what tells actions and commands apart.
enum DifferentTypes {
  private enum Even<Half> {}
  private enum Odd<Half> {}

  /// The first so many, in no order that means anything.
  static func prefix(_ count: Int) -> [any Any.Type] {
    (0..<count).map { type(number: $0 + 1) }
  }

  /// A number as a type: its binary digits, nested.
  private static func type(number: Int) -> any Any.Type {
    if number == 1 { return Void.self }
    let half = type(number: number / 2)
    return number.isMultiple(of: 2) ? even(half) : odd(half)
  }

  private static func even<Half>(_ half: Half.Type) -> any Any.Type { Even<Half>.self }
  private static func odd<Half>(_ half: Half.Type) -> any Any.Type { Odd<Half>.self }
}
