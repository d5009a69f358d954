/// What one thermometer inside the machine shows.
struct Temperature: Codable, Equatable, Sendable {
  var sensor: String
  /// In degrees Celsius.
  var celsius: Double
}

extension Temperature {
  /// Reads what a sensor file under `/sys` says: thousandths of a degree.
  init?(sensor: String, thousandths text: String) {
    guard let word = text.words.first, let thousandths = Int(word) else { return nil }
    let celsius = Double(thousandths) / 1000
    // Sensors that are not connected show absurd values.
    guard (-100...200).contains(celsius) else { return nil }
    self.init(sensor: sensor, celsius: celsius)
  }

  /// The hottest thermometer that answers. Many machines, virtual ones above all, have none; Apple systems have, but
  /// offer no documented way to read them.
  static func read() -> Temperature? {
    #if canImport(Darwin)
      return nil
    #else
      // A thermal zone is often a second way to a sensor of the hardware monitor, and some machines have zones only.
      let monitors = read("/sys/class/hwmon/hwmon*/temp*_input", nameIn: "name")
      return (monitors + read("/sys/class/thermal/thermal_zone*/temp", nameIn: "type")).max { $0.celsius < $1.celsius }
    #endif
  }

  /// - Parameter file: the name of the file beside a sensor that says what it is called.
  private static func read(_ pattern: String, nameIn file: String) -> [Temperature] {
    SystemFile.paths(matching: pattern).compactMap { path in
      let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
      guard let value = SystemFile.text(path), let name = SystemFile.text(folder + file) else { return nil }
      return Temperature(sensor: name.words.joined(separator: " "), thousandths: value)
    }
  }
}
