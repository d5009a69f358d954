// What the blocks of the article about Trellis use and do not show.

import RASPServices

enum OrderAction: Action {
  case place([String])
  case placed
  case failed(String)
}

struct CountAction: Action {
  var step: Int
}

enum SearchAction: Action {
  case type(String)
  case found([String])
}

struct LinkAction: Action {
  var path: String
}

struct Shop: Sendable {
  func order(_ items: [String]) async throws {}
  func find(_ words: String) async throws -> [String] { [] }
}

struct ShopKey: EnvironmentKey {
  static let defaultValue = Shop()
}

extension EnvironmentValues {
  var shop: Shop { self[ShopKey.self] }
}
