/// The units in which a person reads values. Programs get those of the SI.
enum Units: Sendable {
  /// Knots, and degrees and minutes, as on a chart.
  case nautical
  case si

  /// A speed in metres a second, as text.
  ///
  /// - Parameter decimals: for metres a second; knots have one.
  func text(ofSpeed speed: Double, decimals: Int) -> String {
    switch self {
    case .nautical: (speed * 3600 / 1852).formatted(decimals: 1) + " kn"
    case .si: speed.formatted(decimals: decimals) + " m/s"
    }
  }

  /// `52°51.009′ N  005°18.817′ E`, or `52.850157° N  5.313620° E`
  func text(of location: Location) -> String {
    let latitude = text(ofCoordinate: location.latitude, width: 2) + (location.latitude < 0 ? "S" : "N")
    let longitude = text(ofCoordinate: location.longitude, width: 3) + (location.longitude < 0 ? "W" : "E")
    return latitude + "  " + longitude
  }

  private func text(ofCoordinate coordinate: Double, width: Int) -> String {
    guard self == .nautical else { return coordinate.magnitude.formatted(decimals: 6) + "° " }
    // In thousandths of a minute, so that rounding carries into the degrees.
    let thousandths = Int((coordinate.magnitude * 60_000).rounded())
    let (degrees, rest) = thousandths.quotientAndRemainder(dividingBy: 60_000)
    let minutes = "\(rest / 1_000)".zeroPadded(to: 2) + "." + "\(rest % 1_000)".zeroPadded(to: 3)
    return "\(degrees)".zeroPadded(to: width) + "°" + minutes + "′ "
  }
}

extension Compass {
  /// `359.9°`: rounding may complete the circle.
  static func text(degrees: Double) -> String {
    normalized(degrees: degrees.rounded(decimals: 1)).formatted(decimals: 1) + "°"
  }
}

extension String {
  fileprivate func zeroPadded(to width: Int) -> String {
    String(repeating: "0", count: Swift.max(0, width - count)) + self
  }
}
