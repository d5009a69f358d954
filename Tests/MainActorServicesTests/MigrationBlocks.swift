import RASPServices
import TestSupport

// The Swift of the page "Migrating from Trellis", word for word. What the blocks do not declare is declared here.

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

nonisolated struct Shop: Sendable {
  let orders = Log<[String]>()

  func order(_ items: [String]) async throws {
    if items.isEmpty { throw TestError() }
    orders.note(items)
  }

  func find(_ words: String) async throws -> [String] { [words] }
}

struct ShopKey: EnvironmentKey {
  static let defaultValue = Shop()
}

nonisolated extension EnvironmentValues {
  var shop: Shop {
    get { self[ShopKey.self] }
    set { self[ShopKey.self] = newValue }
  }
}

struct Cart: Sendable {
  var items: [String] = []
}

enum CartAction: Action {
  case add(String)
  case checkOut
}

struct CartService: Service {
  var body: some Service {
    Store(model: Cart.self)
      .mutate(on: CartAction.self) { cart, action, send in
        switch action {
        case .add(let item): cart.items.append(item)
        case .checkOut: try await send(OrderAction.place(cart.items))
        }
      }
  }
}

let counter = Store(model: Int.self)
  .mutate(on: CountAction.self) { count, action in count += action.step }

struct OrderService: Service {
  @Environment(\.shop) private var shop

  var body: some Service {
    On(OrderAction.self) { action, send in
      guard case .place(let items) = action else { return }
      try await shop.order(items)
      try await send(OrderAction.placed)
    }
    .overlapping(.serial)
    .timeLimit(.seconds(30))
  }
}

struct SearchState: Sendable, Equatable {
  var words = ""
}

@MainActor
func search(shop: Shop) -> some Service {
  Reducer(state: SearchState(), context: shop, on: .shared) { (state: inout SearchState, action: SearchAction) in
    guard case .type(let words) = action else { return nil }
    state.words = words
    return { dispatch, shop in
      try await dispatch(SearchAction.found(try await shop.find(words)))
    }
  }
  .overlapping(.newest)
}

@MainActor
final class SearchScreen {
  var words = ""

  func start(shop: Shop) async throws -> Cluster {
    try await Bootstrap {
      search(shop: shop)
        .watch(SearchState.self) { @MainActor [weak self] state in self?.words = state.words }
    }
  }
}

struct Router: Service {
  var body: some Service {
    On(LinkAction.self) { link, send in
      let action: any Action = link.path == "cart" ? CartAction.checkOut : SearchAction.type(link.path)
      try await send(action)
    }
  }
}

func shop(pushes: AsyncStream<CartAction>) async throws -> Cluster {
  try await Bootstrap {
    Group {
      CartService().with(model: Cart())
      OrderService()
    }
    .emit(using: pushes)
    .transformError { OrderAction.failed("\($0)") }
  }
}
