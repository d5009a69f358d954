import TestSupport

/// A random program on the plainest operators: one thread, no locks, each operator by itself.
final class ReferenceTree {
  let time = Time()
  /// The connections of the shared streams that are connected.
  var shared: [Int: Connection] = [:]
  private(set) var seen: [TreeRecord] = []
  private(set) var inside: [TreeRecord] = []
  private let program: RandomTree
  private let subjects = [HotSource(), HotSource()]

  init(_ program: RandomTree) {
    self.program = program
  }

  func run() {
    for (instant, subject, event) in program.hot {
      time.schedule(at: instant) { [subjects] in
        switch event {
        case .value(let value): subjects[subject].value(value)
        case .finish: subjects[subject].end(nil)
        case .fail(let code): subjects[subject].end(code)
        }
      }
    }
    let sink = Sink { [unowned self] value in
      seen.append(TreeRecord(place: 0, instant: time.now, event: .value, value: value))
    } onEnd: { [unowned self] end in
      seen.append(record(end, 0))
    }
    attach(program.root, sink)
    time.advance(to: program.cancelAt)
    sink.cancel()
    time.advance(to: RandomTree.end + 1)
    shared = [:]
  }

  // MARK: Records

  func record(_ end: End, _ place: Int) -> TreeRecord {
    if let end { return TreeRecord(place: place, instant: time.now, event: .failed, value: end) }
    return TreeRecord(place: place, instant: time.now, event: .finished)
  }

  func note(_ event: TreeRecord.Event, _ place: Int, _ value: Int = 0) {
    note(TreeRecord(place: place, instant: time.now, event: event, value: value))
  }

  func note(_ record: TreeRecord) {
    inside.append(record)
  }

  // MARK: Operators

  func attach(_ tree: Tree, _ sink: Sink) {
    if sink.isOver { return }
    if tree.inputs.isEmpty {
      note(.subscribed, tree.id)
      sink.whenOver { self.note(.over, tree.id) }
      attachSource(tree, sink)
    } else if !attachSingle(tree, sink), !attachTimed(tree, sink) {
      attachJoined(tree, sink)
    }
  }

  private func attachSource(_ tree: Tree, _ sink: Sink) {
    switch tree.kind {
    case .values(let values):
      for value in values { sink.value(value) }
      sink.end(nil)
    case .never: break
    case .fail(let code): sink.end(code)
    case .hot(let subject): subjects[subject].attach(sink)
    case .timer(let after):
      time.schedule(after: after, for: sink) {
        sink.value(1)
        sink.end(nil)
      }
    case .interval(let period): time.tick(every: period, for: sink) { sink.value($0) }
    case .cold(let steps):
      for step in steps {
        time.schedule(after: step.after, for: sink) {
          switch step.event {
          case .value(let value): sink.value(value)
          case .finish: sink.end(nil)
          case .fail(let code): sink.end(code)
          }
        }
      }
    default: sink.end(nil)
    }
  }
}
