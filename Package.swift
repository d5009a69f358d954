// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "RASP",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "Aggregate", targets: ["Aggregate"]),
    .library(name: "RASPKeyed", targets: ["RASPKeyed"]),
    .library(name: "RASPValues", targets: ["RASPValues"]),
    .library(name: "RASPServices", targets: ["RASPServices"]),
    .library(name: "RASPCommands", targets: ["RASPCommands"]),
    .library(name: "RASPObservation", targets: ["RASPObservation"]),
    .library(name: "RASPInsight", targets: ["RASPInsight"]),
    .library(name: "RASPJournal", targets: ["RASPJournal"]),
    .library(name: "RASPLogs", targets: ["RASPLogs"]),
    .library(name: "RASPTesting", targets: ["RASPTesting"]),
    .library(name: "RASPLogsTesting", targets: ["RASPLogsTesting"]),
  ],
  targets: [
    .target(name: "Streams"),
    // What several of the libraries need and streams do not. Its public types are reached through the libraries that
    // take them.
    .target(name: "RASPSupport", dependencies: ["Streams"]),
    .target(name: "Aggregate", dependencies: ["RASPSupport", "Streams"]),
    .target(name: "RASPKeyed", dependencies: ["Aggregate", "RASPSupport", "Streams"]),
    // What records. Its public types are reached through the libraries that take them, and nobody else compiles it.
    .target(name: "RASPHistory", dependencies: ["Aggregate", "RASPKeyed", "RASPSupport", "Streams"]),
    .target(name: "RASPValues", dependencies: ["Aggregate"]),
    .target(name: "RASPServices", dependencies: ["Aggregate", "RASPSupport", "Streams"]),
    .target(name: "RASPCommands", dependencies: ["RASPSupport", "Streams"]),
    .target(name: "RASPObservation", dependencies: ["Aggregate", "RASPKeyed", "Streams"]),
    .target(
      name: "RASPInsight",
      dependencies: ["Aggregate", "RASPHistory", "RASPKeyed", "RASPSupport", "Streams"],
      resources: [.embedInCode("Page/Files")]
    ),
    .target(
      name: "RASPJournal",
      dependencies: ["Aggregate", "RASPHistory", "RASPKeyed", "RASPSupport", "Streams"]
    ),
    .target(
      name: "RASPLogs",
      dependencies: ["Aggregate", "RASPHistory", "RASPJournal", "RASPKeyed", "RASPSupport", "Streams"]
    ),
    .target(
      name: "RASPTesting",
      dependencies: ["Aggregate", "RASPCommands", "RASPHistory", "RASPServices", "RASPSupport", "Streams"]
    ),
    .target(name: "RASPLogsTesting", dependencies: ["RASPLogs", "Streams"]),
    .executableTarget(
      name: "Playground",
      dependencies: [
        "Aggregate", "RASPCommands", "RASPInsight", "RASPJournal", "RASPKeyed", "RASPServices", "Streams",
      ],
      path: "Playground"
    ),
    .executableTarget(name: "rasp-files", dependencies: ["RASPJournal"], path: "Sources/RASPFiles"),
    .target(
      name: "TestSupport",
      dependencies: ["Aggregate", "RASPServices", "RASPSupport", "RASPTesting", "Streams"],
      path: "Tests/TestSupport"
    ),
    .target(
      name: "AggregateTestSupport",
      dependencies: ["Aggregate", "RASPHistory", "RASPSupport", "RASPTesting", "Streams", "TestSupport"],
      path: "Tests/AggregateTestSupport"
    ),
    .target(
      name: "JournalTestSupport",
      dependencies: ["RASPJournal", "Streams", "TestSupport"],
      path: "Tests/JournalTestSupport"
    ),
    .testTarget(name: "StreamsTests", dependencies: ["RASPTesting", "Streams", "TestSupport"]),
    .testTarget(name: "RASPSupportTests", dependencies: ["RASPSupport", "RASPTesting", "Streams", "TestSupport"]),
    .testTarget(
      name: "RASPTestingTests",
      dependencies: [
        "Aggregate", "RASPCommands", "RASPInsight", "RASPServices", "RASPSupport", "RASPTesting",
        "Streams", "TestSupport",
      ]
    ),
    .testTarget(
      name: "MainActorTests",
      dependencies: ["Aggregate", "Streams"],
      swiftSettings: [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "MainActorCommandsTests",
      dependencies: ["RASPCommands", "RASPTesting", "Streams", "TestSupport"],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
    ),
    .testTarget(
      name: "MainActorServicesTests",
      dependencies: ["RASPServices", "RASPTesting", "Streams", "TestSupport"],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
    ),
    .testTarget(
      name: "AggregateTests",
      dependencies: ["Aggregate", "AggregateTestSupport", "RASPSupport", "RASPTesting", "Streams", "TestSupport"]
    ),
    .testTarget(
      name: "RASPKeyedTests",
      dependencies: [
        "Aggregate", "AggregateTestSupport", "RASPKeyed", "RASPSupport", "RASPTesting", "Streams",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "RASPHistoryTests",
      dependencies: [
        "Aggregate", "AggregateTestSupport", "RASPHistory", "RASPKeyed", "RASPSupport", "RASPTesting",
        "Streams", "TestSupport",
      ]
    ),
    .testTarget(
      name: "RASPValuesTests",
      dependencies: ["Aggregate", "AggregateTestSupport", "RASPTesting", "RASPValues", "Streams", "TestSupport"]
    ),
    .testTarget(
      name: "RASPServicesTests",
      dependencies: ["Aggregate", "RASPServices", "RASPTesting", "Streams", "TestSupport"]
    ),
    .testTarget(
      name: "RASPCommandsTests",
      dependencies: [
        "Aggregate", "RASPCommands", "RASPHistory", "RASPServices", "RASPSupport", "RASPTesting",
        "Streams", "TestSupport",
      ]
    ),
    .testTarget(
      name: "RASPObservationTests",
      dependencies: [
        "Aggregate", "RASPKeyed", "RASPObservation", "RASPTesting", "RASPValues", "Streams", "TestSupport",
      ],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
    ),
    .testTarget(
      name: "RASPInsightTests",
      dependencies: [
        "Aggregate", "RASPCommands", "RASPHistory", "RASPInsight", "RASPJournal", "RASPKeyed",
        "RASPServices", "RASPSupport", "RASPTesting", "Streams", "TestSupport",
      ]
    ),
    .testTarget(
      name: "RASPJournalTests",
      dependencies: [
        "Aggregate", "JournalTestSupport", "RASPHistory", "RASPJournal", "RASPKeyed", "RASPSupport",
        "RASPTesting", "RASPValues", "Streams", "TestSupport",
      ],
      resources: [.copy("Golden")]
    ),
    .testTarget(
      name: "RASPLogsTests",
      dependencies: [
        "Aggregate", "JournalTestSupport", "RASPJournal", "RASPKeyed", "RASPLogs", "RASPLogsTesting",
        "RASPTesting", "Streams", "TestSupport",
      ]
    ),
    .testTarget(
      name: "RASPFilesTests",
      dependencies: ["Aggregate", "RASPInsight", "RASPJournal", "TestSupport", "rasp-files"]
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "Aggregate", "RASPCommands", "RASPKeyed", "RASPObservation", "RASPServices", "RASPTesting",
        "RASPValues", "Streams", "TestSupport",
      ]
    ),
    .testTarget(
      name: "PlaygroundTests",
      dependencies: [
        "Aggregate", "Playground", "RASPInsight", "RASPJournal", "RASPKeyed", "RASPTesting",
        "Streams", "TestSupport",
      ],
      resources: [.copy("Recordings")]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// CI sets the variable for all its steps. As an option on the command line, it would make every step that has it and
// every step that does not build everything anew.
if Context.environment["RASP_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}

// Parts of CI that build the tests once more leave out those that would find nothing new in them.
if let names = Context.environment["RASP_WITHOUT_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && names.contains($0.name[...]) }
}
