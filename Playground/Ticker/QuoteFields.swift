import Aggregate
import RASPInsight
import RASPKeyed

extension ExplainedField where State == RecordedRows<String, Quote> {
  /// The fields of each row that can be explained.
  private static let names = ["price", "change", "count"]

  /// What `--why` explains: a symbol and a field of its row, as in `BAA.price`.
  ///
  /// - Errors: a symbol or a field that is not there is refused.
  static func ofQuote(_ name: String) throws(RunFailure) -> Self {
    let parts = name.split(separator: ".", maxSplits: 1).map { String($0) }
    guard parts.count == 2 else {
      throw .usage("--why takes a symbol and a field, as in \(Market.symbols[1]).price, not \(name.quoted)")
    }
    let (symbol, field) = (parts[0], parts[1])
    guard Market.symbols.contains(symbol) else {
      throw .usage(
        "--why: there is no symbol \(symbol.quoted), there are \(Market.symbols.prefix(3).joined(separator: ", ")) …"
      )
    }
    switch field {
    case "price": return Self(name, of: symbol, \Quote.price)
    case "change": return Self(name, of: symbol, \Quote.change)
    case "count": return Self(name, of: symbol, \Quote.count)
    default: throw .usage("--why: there is no field \(field.quoted), there are \(names.listed)")
    }
  }
}
