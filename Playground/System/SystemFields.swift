import RASPInsight

/// How the fields of `SystemState` are shown.
extension FieldChange {
  static func processor(_ load: ProcessorLoad?) -> FieldChange {
    FieldChange(
      "processor",
      text: load.map { load in
        let each = load.each.isEmpty ? "" : "  " + Graph(load.each, scale: .fraction).text()
        return "\((load.total * 100).formatted(decimals: 1)) %" + each
      },
      level: load?.total,
      scale: .fraction,
      members: [
        "value": .number(load.map { $0.total * 100 }, decimals: 1),
        "each": .array((load?.each ?? []).map { .number($0 * 100, decimals: 1) }),
      ]
    )
  }

  static func processes(_ processes: [BusyProcess]) -> FieldChange {
    FieldChange(
      "processes",
      text: processes.isEmpty
        ? nil : processes.map { "\($0.name) \(($0.share * 100).formatted(decimals: 0)) %" }.joined(separator: ", "),
      level: nil,
      members: [
        "busiest": .array(
          processes.map { .object(["name": .string($0.name), "value": .number($0.share * 100, decimals: 1)]) }
        )
      ]
    )
  }

  static func memory(_ memory: Memory?) -> FieldChange {
    FieldChange(
      "memory",
      text: memory.map { "\(bytes(Double($0.used))) of \(bytes(Double($0.total)))" },
      level: memory?.fraction,
      scale: .fraction,
      members: ["used": .bytes(memory?.used), "total": .bytes(memory?.total)]
    )
  }

  static func load(_ load: LoadAverage?) -> FieldChange {
    FieldChange(
      "load",
      text: load.map { load in
        [load.one, load.five, load.fifteen].map { $0.formatted(decimals: 2) }.joined(separator: "  ")
      },
      level: load?.one,
      members: [
        "one": .number(load?.one, decimals: 2),
        "five": .number(load?.five, decimals: 2),
        "fifteen": .number(load?.fifteen, decimals: 2),
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

  static func temperature(_ temperatures: [Temperature]) -> FieldChange {
    let hottest = temperatures.max { $0.celsius < $1.celsius }
    return FieldChange(
      "temperature",
      text: hottest.map { "\($0.celsius.formatted(decimals: 1)) °C (\($0.sensor))" },
      level: hottest?.celsius,
      members: [
        "value": .number(hottest?.celsius, decimals: 1),
        "sensors": .object(
          temperatures.map { JSON.Member(key: $0.sensor, value: .number($0.celsius, decimals: 1)) }
        ),
      ]
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

extension JSON {
  fileprivate static func bytes(_ count: UInt64?) -> JSON {
    count.flatMap { Int(exactly: $0) }.map { .integer(Int64($0)) } ?? .null
  }
}

extension SystemState {
  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<SystemState>] = [
    ExplainedField("processor", \.processor),
    ExplainedField("memory", \.memory),
    ExplainedField("load", \.load),
    ExplainedField("network", \.network),
    ExplainedField("temperature", \.temperatures),
    ExplainedField("processes", \.processes),
  ]
}
