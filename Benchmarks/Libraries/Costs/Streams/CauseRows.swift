import CostRows
import Streams

/// What is delivered carries its cause.
let causeRows: [CostRow] = [
  CostRow("cause.current", "Cause.current", should: 40) { _ in
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(Cause.current.lane) }
    }
  },
  CostRow("cause.perform", "Cause.perform", should: 60) { _ in
    let sink = Sink()
    let cause = Cause(lane: 1, number: 1)
    return { count in
      for _ in 0..<count { cause.perform { sink.see(1) } }
    }
  },
  CostRow("subject.caused", "Subject.send inside Cause.perform", should: 80) { _ in
    let subject = Subject<Int, Never>()
    let sink = Sink()
    let token = subject.subscribe { sink.see($0) }
    return { count in
      Cause(lane: 1, number: 1).perform {
        for value in 0..<count { subject.send(value) }
      }
      withExtendedLifetime(token) {}
    }
  },
  .together("subject.inTask", "Subject.send inside a task", should: 80) { _ in
    let subject = Subject<Int, Never>()
    let sink = Sink()
    let token = subject.subscribe { sink.see($0) }
    return { count in
      for value in 0..<count { subject.send(value) }
      withExtendedLifetime(token) {}
    }
  },
]
