// A handler that never waits cannot call one that does. `.ci/run` has the compiler check that it refuses each line with
// the message that stands beside it, and nothing else.

import RASPCommands

struct Count: Command { typealias Output = Int }

struct CountLater: CommandHandler {
  func handle(_ command: Count, publish: Publisher<Count>) async throws -> Int { 1 }
}

struct CountTwice: CommandHandler {
  let inner: CountLater

  func handle(_ command: Count, publish: Publisher<Count>) throws -> Int {
    // expected-note@-1 {{add 'async' to function 'handle(_:publish:)' to make it asynchronous}}
    // expected-error@+1 {{'async' call in a function that does not support concurrency}}
    try inner.handle(command, publish: publish) * 2
  }
}

struct CountAny<Inner: CommandHandler<Count>>: CommandHandler {
  let inner: Inner

  func handle(_ command: Count, publish: Publisher<Count>) throws -> Int {
    // expected-note@-1 {{add 'async' to function 'handle(_:publish:)' to make it asynchronous}}
    // expected-error@+1 {{'async' call in a function that does not support concurrency}}
    try inner.handle(command, publish: publish)
  }
}
