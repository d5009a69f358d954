// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "RASP",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "Aggregate", targets: ["Aggregate"]),
    .library(name: "Services", targets: ["Services"]),
    .library(name: "Commands", targets: ["Commands"]),
    .library(name: "CommandServices", targets: ["CommandServices"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
    .executable(name: "Playground", targets: ["Playground"]),
  ],
  targets: [
    .target(name: "Streams"),
    .target(name: "Aggregate", dependencies: ["Streams"]),
    .target(name: "Services", dependencies: ["Aggregate", "Streams"]),
    .target(name: "Commands", dependencies: ["Streams"]),
    .target(name: "CommandServices", dependencies: ["Commands", "Services", "Streams"]),
    .target(name: "StreamsTesting", dependencies: ["Aggregate", "Streams"]),
    .executableTarget(
      name: "Playground",
      dependencies: ["Aggregate", "Commands", "Services", "Streams"],
      path: "Playground"
    ),
    .target(name: "SourceFiles", path: "Tests/SourceFiles"),
    .target(name: "TestSupport", dependencies: ["Streams"], path: "Tests/TestSupport"),
    .testTarget(name: "StreamsTests", dependencies: ["SourceFiles", "Streams", "StreamsTesting", "TestSupport"]),
    .testTarget(name: "StreamsTestingTests", dependencies: ["Aggregate", "Streams", "StreamsTesting"]),
    .testTarget(
      name: "MainActorTests",
      dependencies: ["Aggregate", "Streams"],
      swiftSettings: [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(name: "AggregateTests", dependencies: ["Aggregate", "Streams", "StreamsTesting", "TestSupport"]),
    .testTarget(
      name: "ServicesTests",
      dependencies: ["Aggregate", "Services", "Streams", "StreamsTesting", "TestSupport"]
    ),
    .testTarget(
      name: "CommandsTests",
      dependencies: ["Aggregate", "Commands", "Streams", "StreamsTesting", "TestSupport"]
    ),
    .testTarget(
      name: "CommandServicesTests",
      dependencies: ["CommandServices", "Commands", "Services", "Streams", "StreamsTesting", "TestSupport"]
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: ["Aggregate", "CommandServices", "Commands", "Services", "SourceFiles", "Streams"]
    ),
    .testTarget(
      name: "PlaygroundTests",
      dependencies: ["Playground", "StreamsTesting"],
      resources: [.copy("Recordings")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
