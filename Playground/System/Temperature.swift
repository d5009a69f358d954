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

  /// All thermometers that answer. Many machines, virtual ones above all, have none; Apple systems have, but
  /// offer no documented way to read them.
  static func readAll() -> [Temperature] {
    #if canImport(Darwin)
      return []
    #else
      // A thermal zone is often a second way to a sensor of the hardware monitor: one of the two is enough.
      let monitored = readHardwareMonitors()
      return monitored.isEmpty ? readThermalZones() : monitored
    #endif
  }

  /// `/sys/class/hwmon/hwmon0`: a `name`, and a pair of `temp1_input` and, perhaps, `temp1_label` a sensor.
  private static func readHardwareMonitors() -> [Temperature] {
    unique(
      SystemFile.paths(matching: "/sys/class/hwmon/hwmon*/temp*_input").compactMap { path in
        let parts = path.split(separator: "/")
        guard parts.count > 1, let input = parts.last, let value = SystemFile.text(path) else { return nil }
        let folder = path.dropLast(input.count)
        let sensor = input.dropLast("_input".count)
        let chip = SystemFile.text(folder + "name") ?? String(parts[parts.count - 2])
        let label = SystemFile.text(folder + sensor + "_label") ?? String(sensor)
        return Temperature(sensor: name(chip) + " " + name(label), thousandths: value)
      }
    )
  }

  /// `/sys/class/thermal/thermal_zone0`: a `type` and a `temp`.
  private static func readThermalZones() -> [Temperature] {
    unique(
      SystemFile.paths(matching: "/sys/class/thermal/thermal_zone*/temp").compactMap { path in
        guard let value = SystemFile.text(path) else { return nil }
        let kind = SystemFile.text(path.dropLast("temp".count) + "type") ?? "zone"
        return Temperature(sensor: name(kind), thousandths: value)
      }
    )
  }

  /// Sensors of the same name are numbered, so that each can be told from the others.
  static func unique(_ temperatures: [Temperature]) -> [Temperature] {
    var seen: [String: Int] = [:]
    return temperatures.map { temperature in
      let number = seen[temperature.sensor, default: 0] + 1
      seen[temperature.sensor] = number
      guard number > 1 else { return temperature }
      return Temperature(sensor: "\(temperature.sensor) \(number)", celsius: temperature.celsius)
    }
  }

  private static func name(_ text: String) -> String {
    text.words.joined(separator: " ")
  }
}
