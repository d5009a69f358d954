extension ReferenceTree {
  /// Attaches an operator with one input that knows no time; returns `false` if it is another one.
  func attachSingle(_ tree: Tree, _ sink: Sink) -> Bool {
    let source = tree.inputs[0]
    var memory = 0
    switch tree.kind {
    case .map: attach(source, sink.input { if $0 % 17 == 16 { sink.end(17) } else { sink.value($0 + 1) } })
    case .compactMap: attach(source, sink.input { if $0 % 3 != 0 { sink.value($0 * 2) } })
    case .filter: attach(source, sink.input { if $0 % 3 != 1 { sink.value($0) } })
    case .scan, .scanInto:
      attach(
        source,
        sink.input {
          memory = RandomTree.mix(memory, $0)
          sink.value(memory)
        }
      )
    case .distinct:
      var last: Int?
      attach(
        source,
        sink.input {
          if last == $0 / 4 { return }
          last = $0 / 4
          sink.value($0 / 4)
        }
      )
    case .prefix(let count):
      if count == 0 {
        sink.end(nil)
        return true
      }
      attach(
        source,
        sink.input {
          memory += 1
          sink.value($0)
          if memory == count { sink.end(nil) }
        }
      )
    case .prefixWhile: attach(source, sink.input { if $0 % 7 != 6 { sink.value($0) } else { sink.end(nil) } })
    case .dropFirst(let count):
      attach(
        source,
        sink.input {
          memory += 1
          if memory > count { sink.value($0) }
        }
      )
    case .prepend(let values):
      for value in values { sink.value(value) }
      attach(source, sink.input())
    case .handleEvents:
      let id = tree.id
      note(.subscribed, id)
      var hasEnded = false
      sink.whenOver { if !hasEnded { self.note(.cancelled, id) } }
      let input = sink.input {
        self.note(.value, id, $0)
        sink.value($0)
      } onEnd: {
        hasEnded = true
        self.note(self.record($0, id))
        sink.end($0)
      }
      attach(source, input)
    case .deferred: attach(source, sink.input())
    case .mapError: attach(source, sink.input(onEnd: { sink.end($0.map { $0 + 1 }) }))
    case .share(let count): attachShared(tree, count, sink)
    case .timestamped: attach(source, sink.input { sink.value(RandomTree.mix($0, self.time.now)) })
    default: return false
    }
    return true
  }
}
