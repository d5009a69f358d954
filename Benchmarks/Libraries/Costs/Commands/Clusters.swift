import CostRows
import RASPServices
import Synchronization

/// The action of most rows.
struct Deposit: Action {
  let amount: Int
}

/// Counts what has been done, on any thread.
final class WorkCounter: Sendable {
  private let counter = Atomic<Int>(0)

  var count: Int { counter.load(ordering: .acquiring) }

  func add() { counter.wrappingAdd(1, ordering: .releasing) }
}

/// Makes a cluster on this thread, which is the main one.
func cluster(@ServiceBuilder _ content: @escaping @MainActor @Sendable () -> some Service) -> Cluster {
  onThisThread {
    await must { try await Bootstrap { content() } }
  }
}

extension CostRow {
  /// A row that sends actions to a tree of services. The tree has to do so many units of work for each.
  static func sending(
    _ name: String,
    _ operation: String,
    should: Int,
    works: @escaping @Sendable (_ size: Int) -> Int = { _ in 1 },
    sizes: [Int] = [1],
    of unit: String = "",
    note: String = "",
    @ServiceBuilder _ service: @escaping @MainActor @Sendable (_ size: Int, _ work: WorkCounter) -> some Service
  ) -> CostRow {
    CostRow(name, operation, should: should, sizes: sizes, of: unit, note: note) { size in
      let work = WorkCounter()
      let cluster = cluster { service(size, work) }
      return { count in
        let before = work.count
        onThisThread {
          for _ in 0..<count { await must { try await cluster.send(action: Deposit(amount: 1)) } }
        }
        let done = work.count - before
        precondition(done == count * works(size), "\(name) has done \(done) of \(count).")
      }
    }
  }
}
