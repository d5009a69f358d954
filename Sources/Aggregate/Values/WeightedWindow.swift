/// The weighted mean of the values of the last seconds or minutes, such as a price weighted by volume: a field of a
/// state.
///
///     struct QuoteState: AggregateState {
///       var lastMinute = WeightedWindow<Double>(over: .seconds(60), in: 60)
///
///       mutating func apply(_ trade: Trade) {
///         lastMinute.insert(trade.price, weight: trade.volume, at: trade.instant)
///       }
///     }
///
///     quote.select { $0.lastMinute.mean }.subscribe { show(price: $0) }
///
/// It is two of ``RollingWindow``, whose description says what time, resolution and memory are: one of the weights, and
/// one of the values times their weights. A value or a weight that is not finite, and a weight that is negative, is not
/// taken in.
///
/// - Complexity: as for a ``RollingWindow``.
public struct WeightedWindow<Value: BinaryFloatingPoint & Sendable>: Sendable, Hashable {
  /// The weights, with their sum and their number.
  public private(set) var weights: RollingWindow<Value>

  /// The same for code that is compiled where the type is known, which cannot use a private setter.
  @usableFromInline var changingWeights: RollingWindow<Value> {
    get { weights }
    _modify { yield &weights }
  }

  @usableFromInline var products: RollingWindow<Value>

  /// Makes an empty window that keeps each value.
  ///
  /// - Parameter duration: its length.
  public init(over duration: Duration) {
    weights = RollingWindow(over: duration)
    products = weights
  }

  /// Makes an empty window that keeps the values of one slot together.
  ///
  /// - Parameters:
  ///   - duration: its length.
  ///   - slotCount: the number of slots that this is divided into. Less than one counts as one.
  public init(over duration: Duration, in slotCount: Int) {
    weights = RollingWindow(over: duration, in: slotCount)
    products = weights
  }

  /// Takes a value in, and drops those that have become too old.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  public mutating func insert(_ value: Value, weight: Value, at instant: Duration) {
    let isTaken = value.isFinite && weight.isFinite && weight >= 0
    changingWeights.insert(isTaken ? weight : .nan, at: instant)
    products.insert(isTaken ? value * weight : .nan, at: instant)
  }

  /// Drops the values that are too old at an instant.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  public mutating func advance(to instant: Duration) {
    changingWeights.advance(to: instant)
    products.advance(to: instant)
  }

  /// The sum of the values times their weights, divided by the sum of the weights; `nil` if there are no values, or if
  /// all weights are zero.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var mean: Value? {
    weights.sum > 0 ? products.sum / weights.sum : nil
  }
}

extension WeightedWindow: Codable where Value: Codable {}
