import CostRows
import Streams

/// Streams that are shared.
let sharingRows: [CostRow] = [
  .stepping(
    "share",
    "map and share",
    should: 110,
    peer: Peer("OpenCombine", 5_406),
    sizes: [1, 4, 16],
    of: "subscribers",
    note: "O(subscribers)"
  ) { size, tally in
    let subject = Subject<Int, Never>()
    let shared = subject.map { $0 &+ 1 }.share()
    let sink = Sink()
    let others = (1..<max(size, 1)).map { _ in shared.subscribe { sink.see($0) } }
    let token = shared.subscribe { tally.see($0) }
    return ({ subject.send($0) }, (subject, others, token))
  },
  .stepping(
    "share.replaying",
    "map and share(replaying:)",
    should: 150,
    peer: Peer("OpenCombine", 5_376),
    sizes: [1, 4, 16],
    of: "values kept"
  ) { size, tally in
    let subject = Subject<Int, Never>()
    let token = subject.map { $0 &+ 1 }.share(replaying: size).subscribe { tally.see($0) }
    return ({ subject.send($0) }, (subject, token))
  },
  .stepping(
    "share.subscribe",
    "subscribe to a running share and cancel",
    should: 2_000,
    peer: Peer("RxSwift", 15_238),
    note: "a token, an observer and its closures for each subscription",
    delivers: .none
  ) { _, tally in
    let subject = Subject<Int, Never>()
    let shared = subject.map { $0 &+ 1 }.share()
    let token = shared.subscribe { _ in }
    return ({ _ in shared.subscribe { tally.see($0) }.cancel() }, (subject, token))
  },
]
