// swift-tools-version: 6.3

import PackageDescription

// An application whose targets have the names that RASP's own targets had once, or still have. SwiftPM refuses a
// package whose products reach a target of a name that is taken, so this package builds only as long as RASP leaves
// them free.
let package = Package(
  name: "Fixture",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RASP", path: "../..")
  ],
  targets: [
    .target(
      name: "Core",
      dependencies: [.product(name: "Aggregate", package: "RASP")]
    ),
    .target(
      name: "Commands",
      dependencies: [.product(name: "RASPCommands", package: "RASP")]
    ),
    .target(
      name: "Services",
      dependencies: [
        "Core", .product(name: "Aggregate", package: "RASP"), .product(name: "RASPServices", package: "RASP"),
      ]
    ),
    .target(name: "TestSupport"),
    .executableTarget(
      name: "Playground",
      dependencies: [
        "Commands", "Core", "Services", "TestSupport",
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPCommands", package: "RASP"),
        .product(name: "RASPServices", package: "RASP"),
        .product(name: "Streams", package: "RASP"),
      ]
    ),
    // A program without a test.
    .executableTarget(
      name: "Expecting",
      dependencies: [.product(name: "Aggregate", package: "RASP"), .product(name: "RASPTesting", package: "RASP")]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [.treatAllWarnings(as: .error)]
}
