import CostRows
import Streams

/// The rows of subjects, subscriptions, sharing and the bridges to asynchronous sequences.
public let streamRows: [CostRow] = subjectRows

private let subjectRows = [
  CostRow("subject.send", "Subject.send, one subscriber", should: 60, peer: Peer("OpenCombine", 1_528)) { _ in
    let subject = Subject<Int, Never>()
    let sink = Sink()
    let token = subject.subscribe { sink.see($0) }
    return { count in
      for value in 0..<count { subject.send(value) }
      withExtendedLifetime(token) {}
    }
  }
]
