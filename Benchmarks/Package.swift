// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // By name, because the folder of a clone may have any.
    .package(name: "RASP", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    .target(
      name: "Shapes",
      dependencies: [
        "AllocationCounter",
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPCommands", package: "RASP"),
        .product(name: "RASPInsight", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPKeyed", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
        .product(name: "RASPObservation", package: "RASP"),
        .product(name: "RASPServices", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
        .product(name: "RASPTesting", package: "RASP"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      path: "Libraries/Shapes"
    ),
    .target(name: "AllocationCounter", path: "Libraries/AllocationCounter"),
    .target(name: "Callgrind", path: "Libraries/Callgrind"),
    .target(name: "TaskHook", path: "Libraries/TaskHook"),
    .target(name: "CostRows", dependencies: ["Callgrind", "TaskHook"], path: "Libraries/Costs/Counting"),
    .costs("StreamCosts", "Streams", ["Streams", "RASPTesting"]),
    .costs("OperatorCosts", "Operators", ["Streams", "RASPTesting"]),
    .costs("AggregateCosts", "Aggregates", ["Aggregate", "Streams", "RASPTesting"]),
    .costs("KeyedCosts", "Keyed", ["Aggregate", "RASPKeyed", "Streams", "RASPTesting"]),
    .costs("ObservedCosts", "Observed", ["Aggregate", "RASPKeyed", "RASPObservation", "Streams"]),
    .costs(
      "CommandCosts",
      "Commands",
      ["Aggregate", "RASPCommands", "RASPCommandServices", "RASPInsight", "RASPServices", "RASPTesting", "Streams"]
    ),
    .costs(
      "FileCosts",
      "Files",
      ["Aggregate", "RASPInsight", "RASPJournal", "RASPKeyed", "RASPLogs", "RASPTesting", "Streams"]
    ),
    .executableTarget(
      name: "Costs",
      dependencies: [
        "AggregateCosts", "Callgrind", "CommandCosts", "CostRows", "FileCosts", "KeyedCosts", "ObservedCosts",
        "OperatorCosts", "StreamCosts",
      ],
      path: "Tools/Costs"
    ),
    // What `Benchmarks/client` builds.
    .target(
      name: "Application",
      dependencies: [
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPKeyed", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
      ],
      path: "Application"
    ),
    // The plugin runs every executable whose folder lies directly in one named `Benchmarks`, which is the folder of
    // this package: so this one only.
    .executableTarget(
      name: "Suite",
      dependencies: ["Shapes", .product(name: "Benchmark", package: "benchmark")],
      path: "Suite",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    ),
    .executableTarget(
      name: "Ratios",
      dependencies: ["AllocationCounter", "Shapes"],
      path: "Tools/Ratios"
    ),
    .executableTarget(
      name: "Durability",
      dependencies: [
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
      ],
      path: "Tools/Durability"
    ),
  ],
  swiftLanguageModes: [.v6]
)

extension Target {
  /// Rows of the map of costs. They have modules of their own, because what is measured is what a user's module gets.
  static func costs(_ name: String, _ folder: String, _ products: [String]) -> Target {
    .target(
      name: name,
      dependencies: ["CostRows"] + products.map { .product(name: $0, package: "RASP") },
      path: "Libraries/Costs/\(folder)"
    )
  }
}
