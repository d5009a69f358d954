extension ReferenceTree {
  /// Attaches an operator whose first input chooses among the others.
  func attachChosen(_ tree: Tree, _ sink: Sink) {
    let sources = tree.inputs
    var outerIsOpen = true
    var followed: [Sink] = []
    var waiting: [Tree] = []
    var isMerge = false
    var isLatest = false
    if case .mergeStreams = tree.kind { isMerge = true }
    if case .latest = tree.kind { isLatest = true }
    func arrived(_ source: Tree) {
      if isLatest { followed.last?.cancel() }
      if !isMerge, !isLatest, followed.contains(where: { !$0.isOver }) { return waiting.append(source) }
      let inner = sink.input(onEnd: ended)
      followed.append(inner)
      attach(source, inner)
    }
    func ended(_ end: End) {
      if end != nil { return sink.end(end) }
      if !waiting.isEmpty { return arrived(waiting.removeFirst()) }
      if !outerIsOpen, followed.allSatisfy(\.isOver) { sink.end(nil) }
    }
    let outer = sink.input { value in
      arrived(sources[1 + value % (sources.count - 1)])
    } onEnd: { end in
      if end != nil { return sink.end(end) }
      outerIsOpen = false
      if followed.allSatisfy(\.isOver) { sink.end(nil) }
    }
    attach(sources[0], outer)
  }
}
