import CostRows
import Streams

/// A task waits for one value.
let firstRows: [CostRow] = [
  .together("first", "first() of a Subject(initial:)", should: 4_000) { _ in
    let subject = Subject<Int, Never>(initial: 1)
    return { count in
      for _ in 0..<count {
        let value = await subject.first()
        precondition(value == 1)
      }
    }
  },
  .together("first.where", "first(where:) of a Subject(initial:)", should: 4_000) { _ in
    let subject = Subject<Int, Never>(initial: 1)
    return { count in
      for _ in 0..<count {
        let value = await subject.first(where: { $0 > 0 })
        precondition(value == 1)
      }
    }
  },
  .together("first.within", "first(within:) of a Subject(initial:)", should: 5_000) { _ in
    let subject = Subject<Int, Never>(initial: 1)
    return { count in
      for _ in 0..<count {
        let value = await subject.first(within: .seconds(3_600))
        precondition(value == 1)
      }
    }
  },
]
