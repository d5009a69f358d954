// swift-tools-version: 6.3

import PackageDescription

// What must compile beside other frameworks. Combine and SwiftUI exist on Apple's systems only; elsewhere two modules
// stand in, which have the same names in them.
#if canImport(Darwin)
  let standIns: [Target] = []
  let appleFrameworks: [Target.Dependency] = []
#else
  let standIns: [Target] = [
    .target(name: "Combine", dependencies: ["OpenCombine"], path: "StandIns/Combine"),
    .target(name: "SwiftUI", path: "StandIns/SwiftUI"),
  ]
  let appleFrameworks: [Target.Dependency] = ["Combine", "SwiftUI"]
#endif

let package = Package(
  name: "Beside",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RASP", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: standIns + [
    .testTarget(
      name: "BesideTests",
      dependencies: appleFrameworks + [
        .product(name: "Aggregate", package: "RASP"),
        .product(name: "RASPCommands", package: "RASP"),
        .product(name: "RASPServices", package: "RASP"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Streams", package: "RASP"),
      ],
      path: "Tests"
    )
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [.treatAllWarnings(as: .error)]
}
