// swift-tools-version: 6.3

import PackageDescription

// An application as one outside of this repository: it takes RASP and `JetStream` by Git addresses and versions. The
// part `apart` of `.ci/full` makes the repositories, and says where they are.
let repositories = Context.environment["RASP_REPOSITORIES"] ?? ""

let package = Package(
  name: "Station",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "\(repositories)/rasp", from: "0.1.0"),
    .package(url: "\(repositories)/rasp-jetstream", from: "0.1.0"),
  ],
  targets: [
    .executableTarget(
      name: "Station",
      dependencies: [
        .product(name: "Aggregate", package: "rasp"),
        .product(name: "RASPLogs", package: "rasp"),
        .product(name: "RASPJetStream", package: "rasp-jetstream"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
