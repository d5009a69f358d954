import RASPInsight

/// How the fields of `SystemState` are shown.
extension FieldChange {
  static func processor(_ load: Double?) -> FieldChange {
    FieldChange(
      "processor",
      text: load.map { "\(($0 * 100).formatted(decimals: 1)) %" },
      level: load,
      top: 1,
      members: ["value": .number(load.map { $0 * 100 }, decimals: 1)]
    )
  }

  static func memory(_ memory: Memory?) -> FieldChange {
    FieldChange(
      "memory",
      text: memory.map { "\(bytes(Double($0.used))) of \(bytes(Double($0.total)))" },
      level: memory?.fraction,
      top: 1,
      members: [
        "used": memory.map { .integer(Int64(clamping: $0.used)) } ?? .null,
        "total": memory.map { .integer(Int64(clamping: $0.total)) } ?? .null,
      ]
    )
  }

  static func network(_ traffic: NetworkTraffic?) -> FieldChange {
    FieldChange(
      "network",
      text: traffic.map { "\(bytes($0.received))/s in, \(bytes($0.sent))/s out" },
      level: traffic.map { $0.received + $0.sent },
      members: [
        "received": .number(traffic?.received, decimals: 0), "sent": .number(traffic?.sent, decimals: 0),
      ]
    )
  }

  static func temperature(_ temperature: Temperature?) -> FieldChange {
    FieldChange(
      "temperature",
      text: temperature.map { "\($0.celsius.formatted(decimals: 1)) °C (\($0.sensor))" },
      level: temperature?.celsius,
      members: ["value": .number(temperature?.celsius, decimals: 1), "sensor": .string(temperature?.sensor)]
    )
  }

  /// `1.5 GiB`
  private static func bytes(_ count: Double) -> String {
    var (value, unit) = (count, "B")
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB"] where value >= 1024 {
      (value, unit) = (value / 1024, larger)
    }
    return "\(value.formatted(decimals: unit == "B" ? 0 : 1)) \(unit)"
  }
}

extension SystemState {
  /// All fields as they are.
  var changes: [FieldChange] {
    [.processor(processor), .memory(memory), .network(network), .temperature(temperature)]
  }

  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<SystemState>] = [
    ExplainedField("processor", \.processor),
    ExplainedField("memory", \.memory),
    ExplainedField("network", \.network),
    ExplainedField("temperature", \.temperature),
  ]
}
