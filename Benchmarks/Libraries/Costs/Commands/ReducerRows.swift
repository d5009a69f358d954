import CostRows
import RASPServices
import Streams
import Synchronization

/// The rows of reducers, and of actions that an emitter sends.
let reducerRows: [CostRow] = [
  .sending(
    "srv.reducer",
    "Cluster.send to a Reducer",
    should: 1_500,
    note: "a span and a folding for each action, and frames of asynchronous functions"
  ) { _, work in
    Reducer(state: Balance()) { (balance: inout Balance, deposit: Deposit) in
      balance.amount &+= deposit.amount
      work.add()
      return nil
    }
  },
  .sending(
    "srv.reducer.effect",
    "Cluster.send to a Reducer with a side effect",
    should: 3_000,
    works: { _ in 2 },
    note: "a side effect is a closure of the user, which is called as a task calls one"
  ) {
    _,
    work in
    Reducer(state: Balance()) { (balance: inout Balance, deposit: Deposit) in
      balance.amount &+= deposit.amount
      work.add()
      return { _, _ in work.add() }
    }
  },
  .sending(
    "srv.reducer.watch",
    "Cluster.send to a Reducer with a watcher",
    should: 4_000,
    works: { _ in 2 },
    note: "the watcher gets the state in its turn, as a section of the action"
  ) {
    _,
    work in
    Reducer(state: Balance()) { (balance: inout Balance, deposit: Deposit) in
      balance.amount &+= deposit.amount
      work.add()
      return nil
    }
    .watch(Balance.self) { _ in work.add() }
  },
  emitRow(),
]

private struct Balance: Sendable, Equatable {
  var amount = 0
}

/// The cluster is made here, on the main thread. The emitter reads and sends in tasks of the pool.
private func emitRow() -> CostRow {
  let subject = Subject<Deposit, Never>()
  let arrivals = Arrivals()
  let cluster = cluster {
    On(Deposit.self) { _, _ in arrivals.add() }.emit(using: subject.observable)
  }
  return .together(
    "srv.emit",
    "an action from an Observable (emit), per action",
    should: 6_000,
    note: "a task for each action"
  ) { _ in
    { count in
      await arrivals.wait(for: count) {
        for _ in 0..<count { subject.send(Deposit(amount: 1)) }
      }
      withExtendedLifetime(cluster) {}
    }
  }
}

/// Lets one task wait for so many arrivals.
private final class Arrivals: Sendable {
  private struct State: Sendable {
    var left = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func wait(for count: Int, _ begin: () -> Void) async {
    await withCheckedContinuation { waiter in
      state.withLock { $0 = State(left: count, waiter: waiter) }
      begin()
    }
  }

  func add() {
    let waiter = state.withLock { state in
      state.left -= 1
      return state.left == 0 ? state.waiter.take() : nil
    }
    waiter?.resume()
  }
}
