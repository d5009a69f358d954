import Foundation
import RASPInsight

/// Numbers as they are shown.
extension Double {
  /// Rounded to so many decimals, and never minus zero.
  func rounded(decimals: Int) -> Double {
    let scale = pow(10, Double(decimals))
    let scaled = (self * scale).rounded()
    // Beyond the range of exact integers there are no decimals left to round.
    return scaled.isFinite ? scaled / scale + 0 : self
  }

  /// With exactly so many decimals, for people: `5.30`. A number too large to have decimals is written with its
  /// exponent.
  func formatted(decimals: Int) -> String {
    let value = rounded(decimals: decimals)
    guard value.magnitude < 1e15 else { return String(describing: value) }
    return String(format: "%.\(decimals)f", value)
  }
}

extension JSON {
  /// A number rounded to so many decimals; what JSON cannot express (infinities, not a number) is null.
  static func number(_ value: Double?, decimals: Int) -> JSON {
    guard let value, value.isFinite else { return .null }
    return .number(value.rounded(decimals: decimals))
  }
}
