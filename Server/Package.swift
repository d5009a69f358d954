// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "RASPServer", targets: ["RASPServer"])
  ],
  dependencies: [
    // By name, because the folder of a clone may have any.
    .package(name: "RASP", path: ".."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "RASPServer",
      dependencies: [
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPKeyed", package: "RASP"),
        .product(name: "RASPLogs", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]
    ),
    .testTarget(
      name: "RASPServerTests",
      dependencies: [
        "RASPServer",
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPKeyed", package: "RASP"),
        .product(name: "RASPTesting", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
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
