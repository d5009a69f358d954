import Aggregate

/// Where a vessel has been: a state by itself, fed by its position.
struct Track: AggregateState, Equatable {
  private static let capacity = 2_000

  /// The longitudes go on past the date line.
  private(set) var points: [Location] = []

  mutating func apply(_ location: Location) {
    var point = location
    if let last = points.last {
      point.longitude += ((last.longitude - point.longitude) / 360).rounded() * 360
    }
    points.append(point)
    // Half of the points show the same way.
    guard points.count > Self.capacity else { return }
    points = points.enumerated().filter { $0.offset.isMultiple(of: 2) || $0.offset == points.count - 1 }.map(\.element)
  }

  /// The way from above, north up, with a circle where the vessel is, and below how far it is across.
  func lines(columns: Int, rows: Int) -> [String] {
    guard let last = points.last, columns >= 4, rows >= 3 else { return [] }
    // A degree of longitude is shorter than one of latitude.
    let shrinking = max(0.01, Self.cosine(ofDegrees: last.latitude))
    let flat = points.map { (x: $0.longitude * shrinking, y: $0.latitude) }
    let (west, east) = (flat.map(\.x).min() ?? 0, flat.map(\.x).max() ?? 0)
    let (south, north) = (flat.map(\.y).min() ?? 0, flat.map(\.y).max() ?? 0)

    var canvas = BrailleCanvas(columns: columns, rows: rows - 1)
    let scale = max((east - west) / Double(canvas.width - 1), (north - south) / Double(canvas.height - 1))
    func dot(_ point: (x: Double, y: Double)) -> (x: Int, y: Int) {
      guard scale > 0 else { return (canvas.width / 2, canvas.height / 2) }
      let x = (point.x - (west + east) / 2) / scale + Double(canvas.width - 1) / 2
      let y = ((south + north) / 2 - point.y) / scale + Double(canvas.height - 1) / 2
      return (Int(x.rounded()), Int(y.rounded()))
    }
    for point in flat { canvas.set(x: dot(point).x, y: dot(point).y) }

    var lines = canvas.lines
    let vessel = dot((last.longitude * shrinking, last.latitude))
    let row = min(lines.count - 1, max(0, vessel.y / 4))
    var line = Array(lines[row])
    line[min(line.count - 1, max(0, vessel.x / 2))] = "●"
    lines[row] = String(line)
    // A minute of latitude is a nautical mile.
    let miles = max(east - west, north - south) * 60
    return lines + ["track: \(miles.formatted(decimals: miles < 10 ? 2 : 0)) NM across, north is up"]
  }

  /// Bhaskara's formula, within a thousandth. It serves a picture, and needs no mathematics library.
  private static func cosine(ofDegrees degrees: Double) -> Double {
    let square = degrees * degrees
    return (32_400 - 4 * square) / (32_400 + square)
  }
}
