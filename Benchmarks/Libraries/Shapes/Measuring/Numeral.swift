/// A number as a type, for shapes that need many types: a generic type has another one for each.
protocol Numeral: Sendable {}

private enum Zero: Numeral {}
private enum Even<Half: Numeral>: Numeral {}
private enum Odd<Half: Numeral>: Numeral {}

/// The type that stands for a number, written in binary.
func numeral(_ number: Int) -> any Numeral.Type {
  number == 0 ? Zero.self : appending(number & 1, to: numeral(number / 2))
}

private func appending<Half: Numeral>(_ bit: Int, to _: Half.Type) -> any Numeral.Type {
  bit == 0 ? Even<Half>.self : Odd<Half>.self
}
