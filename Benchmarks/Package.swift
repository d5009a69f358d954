// swift-tools-version: 6.3

import PackageDescription

/// A product of RASP.
func rasp(_ name: String) -> Target.Dependency { .product(name: name, package: "RASP") }

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // By name, because the folder of a clone may have any.
    .package(name: "RASP", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
  ],
  targets: [
    .target(name: "Callgrind", path: "Libraries/Callgrind"),
    .target(name: "MemoryCounter", path: "Libraries/MemoryCounter"),
    .target(name: "TaskHook", path: "Libraries/TaskHook"),
    .target(name: "Counting", dependencies: ["Callgrind", "TaskHook"], path: "Libraries/Counting"),
    .target(
      name: "CountedRows",
      dependencies: [
        "Counting", rasp("Aggregate"), rasp("RASPCommands"), rasp("RASPInsight"), rasp("RASPJournal"),
        rasp("RASPKeyed"),
        rasp("RASPLogs"), rasp("RASPObservation"), rasp("RASPServices"), rasp("RASPTesting"), rasp("RASPValues"),
        rasp("Streams"),
      ],
      path: "Libraries/CountedRows"
    ),
    .target(
      name: "Shapes",
      dependencies: [
        "MemoryCounter", rasp("Aggregate"), rasp("RASPCommands"), rasp("RASPInsight"), rasp("RASPJournal"),
        rasp("RASPKeyed"), rasp("RASPLogs"), rasp("RASPObservation"), rasp("RASPServices"), rasp("RASPTesting"),
        rasp("Streams"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      path: "Libraries/Shapes"
    ),
    // Two programs: in that of the shapes, functions of ours stand before `malloc`.
    .executableTarget(name: "Counts", dependencies: ["Callgrind", "CountedRows", "Counting"], path: "Tools/Counts"),
    .executableTarget(name: "Ratios", dependencies: ["Shapes"], path: "Tools/Ratios"),
    // What `Benchmarks/client` builds.
    .target(
      name: "Application",
      dependencies: [rasp("Aggregate"), rasp("RASPKeyed"), rasp("Streams")],
      path: "Application"
    ),
  ],
  swiftLanguageModes: [.v6]
)
