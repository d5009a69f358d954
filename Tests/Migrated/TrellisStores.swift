// A program in the words of Trellis, the form with stores, after the edits of the tables of "Migrating from Trellis".
// What stood in a line before an edit stands beside it. `.ci/run` has the compiler read it outside of the package.

import RASPServices

actor Galley {
  private(set) var meals: [String] = []

  func cook(_ meal: String) throws {
    if meals.contains(meal) { throw Leftovers(meal: meal) }
    meals.append(meal)
  }
}

struct Leftovers: Error {
  var meal: String
}

actor Larder {
  private(set) var flour = 3

  func take() -> Bool {
    flour -= 1
    return flour >= 0
  }
}

enum GalleyAction: Action, Equatable {
  case cook(String)
  case serve
}

enum LarderAction: Action {
  case fetch
}

enum ErrorAction: Action {
  case failed(any Error)
}

protocol Bell: Sendable {
  func ring() async
}

struct ShipBell: Bell {
  func ring() async { print("the bell rings") }
}

private struct BellKey: EnvironmentKey {
  static let defaultValue: any Bell = ShipBell()  // static var
}

extension EnvironmentValues {
  var bell: any Bell {
    get { self[BellKey.self] }
    set { self[BellKey.self] = newValue }
  }
}

struct GalleyService: Service {
  @Environment(\.bell) private var bell

  var body: some Service {
    Store(model: Galley.self)
      .mutate(on: GalleyAction.self) { galley, action, send in
        switch action {
        case .cook(let meal):
          try await galley.cook(meal)
          try await send(LarderAction.fetch)
        case .serve:
          await bell.ring()
        }
      }
  }
}

/// Reacts without a model.
struct BellService: Service {
  @Environment(\.bell) private var bell

  var body: some Service {
    On(GalleyAction.self) { action, _ in  // func receive(action: any Action) async throws
      if action == .serve { await bell.ring() }
    }
  }
}

/// Hands actions to others.
struct Cook {
  var send: Send
}

func ship(orders: AsyncStream<any Action>, bell: any Bell) async throws -> (Cluster, Cook) {
  let (galley, larder) = (Galley(), Larder())
  let cluster = try await Bootstrap {
    Group {
      GalleyService()
        .with(model: galley)
        .pre(action: GalleyAction.serve) { print("clear the table") }
        .post(action: GalleyAction.serve) { print("wash up") }
      Store(model: Larder.self)
        .mutate(on: LarderAction.self) { larder, _, _ in _ = await larder.take() }
        .with(model: larder)
    }
    .serial()
    .environment(\.bell, bell)  // environment(\.bell, value: bell)
    .emit(using: orders)
    .transformError { ErrorAction.failed($0) }
    .observe(on: ErrorAction.self) { action in print("\(action)") }
    .bootstrap { print("all hands") }
  }
  try await cluster.send(action: GalleyAction.cook("soup"))
  return (cluster, Cook(send: cluster.send))
}

/// What a test of the seed looks like: the actions that a service sends are recorded.
func test() async throws {
  let sent = Sent()
  let cluster = try await Bootstrap {
    GalleyService()
      .with(model: Galley())
      .environment(\.send) { action in await sent.note(action) }  // environment(\.send, value: …)
  }
  try await cluster.send(action: GalleyAction.cook("bread"))
  guard await sent.actions.first is LarderAction else { throw Leftovers(meal: "bread") }
}

actor Sent {
  private(set) var actions: [any Action] = []

  func note(_ action: any Action) { actions.append(action) }
}
