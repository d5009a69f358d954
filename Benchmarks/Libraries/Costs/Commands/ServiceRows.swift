import CostRows
import RASPInsight
import RASPServices

/// The rows of one service that reacts, in each form.
let serviceRows: [CostRow] = [
  .sending(
    "srv.mutate",
    "Cluster.send to a Store's mutation",
    should: 1_500,
    note: "a span for each action, and frames of asynchronous functions"
  ) { _, work in
    Store(model: Int.self)
      .mutate(on: Deposit.self) { balance, deposit in
        balance &+= deposit.amount
        work.add()
      }
      .with(model: 0)
  },
  .sending(
    "srv.mutate.send",
    "Cluster.send to a Store's mutation, the asynchronous form with send",
    should: 1_500,
    note: "a span for each action, and frames of asynchronous functions"
  ) {
    _,
    work in
    Store(model: Int.self)
      .mutate(on: Deposit.self) { balance, deposit, _ in
        balance &+= deposit.amount
        work.add()
      }
      .with(model: 0)
  },
  .sending(
    "srv.on",
    "Cluster.send to On",
    should: 1_500,
    note: "a span for each action, and frames of asynchronous functions"
  ) { _, work in
    On(Deposit.self) { _, _ in work.add() }
  },
  .sending(
    "srv.pre",
    "Cluster.send to pre",
    should: 1_500,
    note: "a span for each action, and frames of asynchronous functions"
  ) { _, work in
    EmptyService().pre(action: Deposit.self) { _ in work.add() }
  },
  .sending(
    "srv.post",
    "Cluster.send to post",
    should: 1_500,
    note: "a span for each action, and frames of asynchronous functions"
  ) { _, work in
    EmptyService().post(action: Deposit.self) { _ in work.add() }
  },
  .sending(
    "srv.observe",
    "Cluster.send to a mutation with an observer",
    should: 1_500,
    works: { _ in 2 },
    note: "a span for each action, and frames of asynchronous functions"
  ) { _, work in
    Store(model: Int.self)
      .mutate(on: Deposit.self) { balance, deposit in
        balance &+= deposit.amount
        work.add()
      }
      .with(model: 0)
      .observe(on: Deposit.self) { _ in work.add() }
  },
  .sending("srv.unheard", "Cluster.send of an action without a reaction", should: 1_500, works: { _ in 0 }) { _, work in
    On(Audit.self) { _, _ in work.add() }
  },
  .sending(
    "srv.chain",
    "Cluster.send, whose reaction sends another action",
    should: 3_000,
    works: { _ in 2 },
    note: "two actions, each with a span"
  ) {
    _,
    work in
    Group {
      On(Deposit.self) { _, send in
        work.add()
        try await send(Audit())
      }
      On(Audit.self) { _, _ in work.add() }
    }
  },
  CostRow(
    "srv.recorded",
    "Cluster.send to a mutation, recorded",
    should: 1_500,
    note: "a span for each action, and frames of asynchronous functions"
  ) { _ in
    let work = WorkCounter()
    let cluster = cluster {
      Store(model: Int.self)
        .mutate(on: Deposit.self) { balance, deposit in
          balance &+= deposit.amount
          work.add()
        }
        .with(model: 0)
    }
    let recorder = Insight().record(cluster, as: "cluster")
    return { count in
      onThisThread {
        for _ in 0..<count { try? await cluster.send(action: Deposit(amount: 1)) }
      }
      withExtendedLifetime(recorder) {}
    }
  },
]

struct Audit: Action {}
