// swift-tools-version: 6.3

import PackageDescription

// Programs of a user, with what is public and nothing else: what they say is what this package promises. Part of CI
// compiles these files over what it has built already, without this manifest: see `outside` in `.ci/parts/common`.
let products = [
  "Aggregate", "RASPCommands", "RASPInsight", "RASPKeyed", "RASPLogs", "RASPServices", "RASPTesting", "Streams",
]

let package = Package(
  name: "Outside",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "RASP", path: "../..")],
  targets: [
    .executableTarget(
      name: "Outside",
      dependencies: products.map { .product(name: $0, package: "RASP") },
      path: "Sources",
      swiftSettings: [.treatAllWarnings(as: .error)]
    )
  ],
  swiftLanguageModes: [.v6]
)
