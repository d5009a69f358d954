// What the blocks of the article about tests use and do not show.

import RASPCommands
import RASPInsight
import RASPServices

struct Silence: Error {}
struct Motion: Action {}
struct Switch: Action, Equatable { var isOn: Bool }

struct Light: Equatable {
  var motions = 0

  static let reduce: Reducer<Light, Motion, Void>.Reduce = { _, _ in nil }
}

let recorder = Insight().record(Engine(), as: "home")
