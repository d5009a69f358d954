// swift-tools-version: 6.3

import PackageDescription

// An application as one outside of this repository: it takes RASP and `Server` by Git addresses and versions. The part
// `apart` of `.ci/full` makes the repositories, and says where they are.
let repositories = Context.environment["RASP_REPOSITORIES"] ?? ""

let package = Package(
  name: "Thermostat",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "\(repositories)/rasp", from: "0.1.0"),
    .package(url: "\(repositories)/rasp-server", from: "0.1.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "Thermostat",
      dependencies: [
        .product(name: "Aggregate", package: "rasp"),
        .product(name: "RASPServer", package: "rasp-server"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
