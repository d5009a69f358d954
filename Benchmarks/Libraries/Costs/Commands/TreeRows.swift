import CostRows
import RASPServices

/// The rows of trees in which several services react, or stand beside.
let treeRows: [CostRow] = [
  .sending(
    "srv.mutate.P",
    "Cluster.send to so many stores",
    should: 1_500,
    works: { $0 },
    sizes: [1, 4, 16],
    of: "stores",
    note: "O(services that react), with a task for each"
  ) { size, work in
    for _ in 0..<size {
      Store(model: Int.self)
        .mutate(on: Deposit.self) { balance, deposit in
          balance &+= deposit.amount
          work.add()
        }
        .with(model: 0)
    }
  },
  .sending(
    "srv.concurrent.P",
    "Cluster.send to a concurrent group",
    should: 1_500,
    works: { $0 },
    sizes: [1, 4, 16],
    of: "services",
    note: "O(services that react), with a task for each"
  ) { size, work in
    Group {
      for _ in 0..<size { On(Deposit.self) { _, _ in work.add() } }
    }
  },
  .sending(
    "srv.serial.P",
    "Cluster.send to a serial group",
    should: 1_500,
    works: { $0 },
    sizes: [1, 4, 16],
    of: "services",
    note: "O(services that react)"
  ) { size, work in
    Group {
      for _ in 0..<size { On(Deposit.self) { _, _ in work.add() } }
    }
    .serial()
  },
  .sending(
    "srv.beside.P",
    "Cluster.send beside services of other actions",
    should: 1_500,
    sizes: [1, 4, 16],
    of: "others"
  ) { size, work in
    for _ in 0..<size { On(Audit.self) { _, _ in work.add() } }
    Store(model: Int.self)
      .mutate(on: Deposit.self) { balance, deposit in
        balance &+= deposit.amount
        work.add()
      }
      .with(model: 0)
  },
]
