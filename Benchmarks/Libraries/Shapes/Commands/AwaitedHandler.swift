import RASPCommands

/// The command whose handler waits.
private struct Deposit: Command {
  typealias Output = Int

  let amount: Int
}

/// What the handler calls, and what is called without an engine.
private actor Account {
  private var balance = 0

  func deposit(_ amount: Int) -> Int {
    balance += amount
    return balance
  }
}

extension Shape {
  /// A command whose handler calls an actor, executed. The task that is measured waits for the result of each
  /// execution.
  static let awaitedExecution = Shape(events: 5_000) { events in
    let tally = Tally()
    let account = Account()
    let engine = Engine()
    try engine.use(Deposit.self) { command, _ in await account.deposit(command.amount) }
    let subscription = engine.react(to: Deposit.self, consume: { _ in tally.increment() })
    return Run {
      for _ in 0..<events { _ = try await engine.execute(Deposit(amount: 1)).value }
    } proofs: {
      [
        Proof("balance", await account.deposit(0), is: events),
        Proof("results for the reaction", tally.count, is: events),
        Proof("subscriptions", subscription.isActive ? 1 : 0, is: 1),
      ]
    }
  }

  /// The same without an engine: a task of its own calls the actor, and the task that is measured waits for its value.
  static let awaitedTask = Shape(events: 5_000) { events in
    let tally = Tally()
    let account = Account()
    return Run {
      for _ in 0..<events {
        _ = await Task { await account.deposit(1) }.value
        tally.increment()
      }
    } proofs: {
      [
        Proof("balance", await account.deposit(0), is: events),
        Proof("results", tally.count, is: events),
      ]
    }
  }

  /// The actor alone, called by the task that is measured.
  static let actorCall = Shape(events: 5_000) { events in
    let tally = Tally()
    let account = Account()
    return Run {
      for _ in 0..<events {
        _ = await account.deposit(1)
        tally.increment()
      }
    } proofs: {
      [
        Proof("balance", await account.deposit(0), is: events),
        Proof("results", tally.count, is: events),
      ]
    }
  }
}
