/// A simulated market: prices that walk at random.
///
/// Two markets whose generators give the same numbers trade the same.
struct Market: Sendable {
  /// As many symbols as real exchanges have.
  static let symbolCount = 10_000
  /// The time from one burst of ticks to the next.
  static let period: Duration = .milliseconds(10)
  /// How many ticks come at once.
  static let burst = 100

  static let symbols = (0..<symbolCount).map { symbol($0) }

  var symbols: [String] { Self.symbols }
  private(set) var prices: [Double]
  /// The ticks of the present moment.
  private(set) var ticks: [Tick] = []
  private var generator: any RandomNumberGenerator & Sendable

  init(using generator: any RandomNumberGenerator & Sendable) {
    self.generator = generator
    prices = []
    for _ in symbols { prices.append(Double.random(in: 5...500, using: &self.generator).rounded(decimals: 2)) }
  }

  /// The rows as the market opens.
  var openingQuotes: [String: Quote] {
    Dictionary(uniqueKeysWithValues: zip(symbols, prices).map { ($0, Quote(symbol: $0, open: $1)) })
  }

  /// The market with the prices of earlier rows.
  func resumed(from quotes: [String: Quote]) -> Market {
    var market = self
    for index in symbols.indices { market.prices[index] = quotes[symbols[index]]?.price ?? prices[index] }
    return market
  }

  /// Trades once: some prices move by up to a percent.
  mutating func trade() {
    ticks.removeAll(keepingCapacity: true)
    for _ in 0..<Self.burst {
      let index = Int.random(in: symbols.indices, using: &generator)
      let factor = Double.random(in: 0.99...1.01, using: &generator)
      prices[index] = max(0.01, (prices[index] * factor).rounded(decimals: 2))
      ticks.append(Tick(symbol: symbols[index], price: prices[index]))
    }
  }

  /// Three letters, each number with others; neighbours begin with different letters.
  private static func symbol(_ number: Int) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return String([letters[number % 26], letters[number / 26 % 26], letters[number / 676 % 26]])
  }
}
