import CostRows
import RASPServices
import Streams

/// The rows of reducers, and of actions that an emitter sends.
let reducerRows: [CostRow] = [
  .sending("srv.reducer", "Cluster.send to a Reducer", should: 2_500) { _, work in
    Reducer(state: Balance()) { (balance: inout Balance, deposit: Deposit) in
      balance.amount &+= deposit.amount
      work.add()
      return nil
    }
  },
  .sending("srv.reducer.effect", "Cluster.send to a Reducer with a side effect", should: 3_000, works: { _ in 2 }) {
    _,
    work in
    Reducer(state: Balance()) { (balance: inout Balance, deposit: Deposit) in
      balance.amount &+= deposit.amount
      work.add()
      return { _, _ in work.add() }
    }
  },
  .sending("srv.reducer.watch", "Cluster.send to a Reducer with a watcher", should: 4_000, works: { _ in 2 }) {
    _,
    work in
    Reducer(state: Balance()) { (balance: inout Balance, deposit: Deposit) in
      balance.amount &+= deposit.amount
      work.add()
      return nil
    }
    .watch(Balance.self) { _ in work.add() }
  },
  CostRow("srv.emit", "an action from an Observable (emit), per action", should: 6_000) { _ in
    let work = Work()
    let subject = Subject<Deposit, Never>()
    let cluster = cluster {
      On(Deposit.self) { _, _ in work.add() }.emit(using: subject.observable)
    }
    return { count in
      let end = work.count + count
      onThisThread {
        for _ in 0..<count { subject.send(Deposit(amount: 1)) }
        while work.count < end { await Task.yield() }
      }
      withExtendedLifetime(cluster) {}
    }
  },
]

private struct Balance: Sendable, Equatable {
  var amount = 0
}
