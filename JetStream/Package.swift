// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "JetStream",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "RASPJetStream", targets: ["RASPJetStream"])
  ],
  dependencies: [
    // By name, because the folder of a clone may have any.
    .package(name: "RASP", path: ".."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    .target(
      name: "RASPNATS",
      dependencies: [
        .product(name: "Streams", package: "RASP"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .target(
      name: "RASPJetStream",
      dependencies: [
        "RASPNATS",
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    .target(
      name: "FleetProcesses",
      dependencies: [
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]
    ),
    .executableTarget(
      name: "Storm",
      dependencies: [
        "FleetProcesses", "RASPJetStream", "RASPNATS",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
      ]
    ),
    .executableTarget(
      name: "Logs",
      dependencies: [
        "RASPJetStream", "RASPNATS",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
      ]
    ),
    .target(
      name: "ServerSupport",
      dependencies: [
        "FleetProcesses",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/ServerSupport"
    ),
    .testTarget(
      name: "RASPNATSTests",
      dependencies: [
        "RASPNATS", "ServerSupport",
        .product(name: "Streams", package: "RASP"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Fixtures"]
    ),
    .testTarget(
      name: "RASPJetStreamTests",
      dependencies: [
        "FleetProcesses", "RASPJetStream", "RASPNATS", "ServerSupport",
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPKeyed", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
        .product(name: "RASPLogsTesting", package: "RASP"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Streams", package: "RASP"),
      ]
    ),
    // It needs a cipher, which the root package does not have.
    .testTarget(
      name: "ForgettingTests",
      dependencies: [
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
        .product(name: "Crypto", package: "swift-crypto"),
      ]
    ),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "FleetProcesses", "Logs", "RASPJetStream", "RASPNATS", "Storm", "ServerSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// CI sets the variable for all its steps.
if Context.environment["RASP_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
