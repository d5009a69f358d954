import RASPTesting
import TestSupport
import Testing

@testable import RASPServices

/// One type of action per number, so that a tree can have many services of which one reacts.
private struct Numbered<Number>: Action {}

private enum Mine {}
private enum Others {}

@Suite("The plan", .endsInTime)
struct PlanTests {
  /// One service that reacts to `Numbered<Mine>` among `count` that do not.
  private func cluster(_ count: Int, _ react: @escaping @Sendable () -> Void) async throws -> Cluster {
    try await Bootstrap {
      Group {
        for index in 0..<count {
          Group {
            if index == count / 2 {
              EmptyService().pre(action: Numbered<Mine>.self) { _ in react() }
            } else {
              Store(model: Numbers.self)
                .mutate(on: Numbered<Others>.self) { _, _, _ in }
                .with(model: Numbers())
            }
          }
        }
      }
    }
  }

  @Test("a send takes as many steps with sixty-four services as with one")
  func steps() async throws {
    let (one, many) = (try await cluster(1) {}, try await cluster(64) {})
    #expect(one.stepCount(for: Numbered<Mine>.self) == 1)
    #expect(many.stepCount(for: Numbered<Mine>.self) == 1)
    #expect(many.stepCount(for: Numbered<Others>.self) == 64)
    #expect(many.stepCount(for: AccountAction.self) == 0)
  }

  @Test("a single service that reacts runs in the task of the sender, two get tasks of their own")
  func tasks() async throws {
    let tasks = Log<Int?>()
    let single = try await cluster(64) { tasks.note(currentTask()) }
    try await single.send(action: Numbered<Mine>())
    #expect(tasks.entries == [currentTask()])

    let double = try await Bootstrap {
      for _ in 0..<2 { EmptyService().pre(action: AccountAction.login) { tasks.note(currentTask()) } }
      EmptyService().pre(action: AccountAction.logout) { tasks.note(currentTask()) }
    }
    try await double.send(action: AccountAction.login)
    #expect(tasks.count == 3)
    #expect(!tasks.entries.dropFirst().contains(currentTask()))
  }

  @Test("services that do not react to an action are no siblings for it")
  func serialGroupsCollapse() async throws {
    let cluster = try await Bootstrap {
      Group {
        NumbersService().with(model: Numbers())
        Group { EmptyService().pre(action: AccountAction.self) { _ in } }.serial().concurrent()
      }
      .transformError { _ in nil }
    }
    #expect(cluster.stepCount(for: AccountAction.self) == 2)
    #expect(cluster.stepCount(for: Add.self) == 2)
  }
}

extension Cluster {
  /// How many steps an action of a type takes.
  fileprivate func stepCount<A: Action>(for type: A.Type) -> Int {
    Plan(places).route(for: type).step?.count ?? 0
  }
}

extension Step {
  fileprivate var count: Int {
    switch self {
    case .call: 1
    case .sequence(let steps), .serial(let steps, _), .concurrent(let steps): steps.reduce(1) { $0 + $1.count }
    case .transformError(_, let step): 1 + step.count
    }
  }
}
