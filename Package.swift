// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "RASP",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "Aggregate", targets: ["Aggregate"]),
    .library(name: "Services", targets: ["Services"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
    .executable(name: "Playground", targets: ["Playground"]),
  ],
  targets: [
    .target(name: "Streams"),
    .target(name: "Aggregate", dependencies: ["Streams"]),
    .target(name: "Services", dependencies: ["Aggregate", "Streams"]),
    .target(name: "StreamsTesting", dependencies: ["Streams"]),
    .executableTarget(name: "Playground", dependencies: ["Aggregate", "Services", "Streams"], path: "Playground"),
    .testTarget(name: "StreamsTests", dependencies: ["Streams", "StreamsTesting"]),
    .testTarget(name: "AggregateTests", dependencies: ["Aggregate", "Streams", "StreamsTesting"]),
    .testTarget(name: "ServicesTests", dependencies: ["Services", "Aggregate", "Streams", "StreamsTesting"]),
    .testTarget(name: "ReadmeTests", dependencies: ["Aggregate", "Streams"]),
    .testTarget(
      name: "PlaygroundTests",
      dependencies: ["Playground", "StreamsTesting"],
      resources: [.copy("Recordings")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
