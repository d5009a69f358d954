import RASPServices
import SwiftUI

import struct SwiftUI.Environment
import protocol SwiftUI.EnvironmentKey
import struct SwiftUI.EnvironmentValues
import struct SwiftUI.Group

struct StationView: View {
  @Environment(\.isEnabled) private var isEnabled  // SwiftUI's

  var body: some View {
    Group {
      Text(isEnabled ? "open" : "closed")
    }
  }
}

struct StationService: Service {
  @RASPServices.Environment(\.station) private var station

  var body: some Service {
    RASPServices.Group {
      EmptyService()
    }
    .observe(on: StationQuestion.self) { question in question.answer(station) }
  }
}

struct StationQuestion: Action {
  let answer: @Sendable (String) -> Void
}

struct StationKey: RASPServices.EnvironmentKey {
  static let defaultValue = "unnamed"
}

extension RASPServices.EnvironmentValues {
  var station: String {
    get { self[StationKey.self] }
    set { self[StationKey.self] = newValue }
  }
}
