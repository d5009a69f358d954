import Streams

// The code of the landing page of `Streams`.

enum Input: Sendable {
  case tick(Int)
  case key(Character)
}

struct Connection: Sendable {
  var lines: AsyncStream<String>
}

func streamsPage(connection: Connection) async {
  let keys = Subject<Character, Never>()
  let ticks: Observable<Int, Never> = .interval(.seconds(1))

  let inputs = Observable.merge(ticks.map(Input.tick), keys.map(Input.key))
  let counts = inputs.scan(into: 0) { count, _ in count += 1 }

  let subscription = counts.subscribe { print($0) }  // cancels when released

  let lines = Observable(connection.lines)  // read no faster than its values are handled
  for await count in counts.values(buffering: .unbounded) { print(count) }

  _ = (subscription, lines)
}
