// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Quotes",
  platforms: [.macOS(.v15)],
  dependencies: [
    // By name, because the folder of a clone may have any.
    .package(name: "RASP", path: "../.."),
    .package(name: "Server", path: ".."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "Quotes",
      dependencies: [
        .product(name: "RASPJournal", package: "RASP"),
        .product(name: "RASPKeyed", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
        .product(name: "RASPServer", package: "Server"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .testTarget(
      name: "QuotesTests",
      dependencies: [
        "Quotes",
        .product(name: "RASPServer", package: "Server"),
        .product(name: "Streams", package: "RASP"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
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
