extension ReferenceTree {
  func attachShared(_ tree: Tree, _ count: Int, _ sink: Sink) {
    let id = tree.id
    var connects = false
    if shared[id] == nil {
      connects = true
      let source = HotSource(replaying: count)
      var made: Connection?
      let upstream = Sink {
        source.value($0)
      } onEnd: { [unowned self] end in
        if let made, shared[id] === made {
          if end == nil { made.hasFinished = true } else { shared[id] = nil }
        }
        source.end(end)
      }
      made = Connection(source, upstream)
      shared[id] = made
    }
    guard let connection = shared[id] else { return }
    connection.subscriberCount += 1
    sink.whenOver { [unowned self] in
      connection.subscriberCount -= 1
      guard shared[id] === connection, !connection.hasFinished, connection.subscriberCount == 0 else { return }
      shared[id] = nil
      connection.upstream.cancel()
    }
    connection.source.attach(sink)
    if connects { attach(tree.inputs[0], connection.upstream) }
  }
}
