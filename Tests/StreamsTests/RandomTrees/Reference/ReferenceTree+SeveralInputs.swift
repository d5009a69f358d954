extension ReferenceTree {
  func attachJoined(_ tree: Tree, _ sink: Sink) {
    let sources = tree.inputs
    switch tree.kind {
    case .merge:
      var open = sources.count
      for input in sources.map({ _ in sink.input(onEnd: ended) }).enumerated() {
        attach(sources[input.offset], input.element)
      }
      func ended(_ end: End) {
        open -= 1
        if end != nil || open == 0 { sink.end(end) }
      }
    case .concat:
      func follow(_ index: Int) {
        if index == sources.count { return sink.end(nil) }
        attach(sources[index], sink.input(onEnd: { if $0 != nil { sink.end($0) } else { follow(index + 1) } }))
      }
      follow(0)
    case .combineLatest:
      var newest = [Int?](repeating: nil, count: sources.count)
      var open = sources.count
      let inputs = sources.indices.map { index in
        sink.input { value in
          newest[index] = value
          let all = newest.compactMap { $0 }
          if all.count == newest.count { sink.value(RandomTree.mix(all)) }
        } onEnd: { end in
          open -= 1
          if end != nil || open == 0 || newest[index] == nil { sink.end(end) }
        }
      }
      for (source, input) in zip(sources, inputs) { attach(source, input) }
    case .withLatest:
      var newest: Int?
      let other = sink.input {
        newest = $0
      } onEnd: {
        if $0 != nil || newest == nil { sink.end($0) }
      }
      attach(sources[1], other)
      attach(sources[0], sink.input { value in if let newest { sink.value(RandomTree.mix(value, newest)) } })
    case .prefixUntil:
      attach(sources[1], sink.input({ _ in sink.end(nil) }, onEnd: { _ in }))
      attach(sources[0], sink.input())
    case .sampleOn:
      var newest: Int?
      func sample() {
        if let value = newest.take() { sink.value(value) }
      }
      attach(sources[1], sink.input({ _ in sample() }, onEnd: { _ in }))
      let input = sink.input {
        newest = $0
      } onEnd: { end in
        if end == nil { sample() }
        sink.end(end)
      }
      attach(sources[0], input)
    case .catching:
      attach(
        sources[0],
        sink.input(onEnd: { if $0 == nil { sink.end(nil) } else { self.attach(sources[1], sink.input()) } })
      )
    default: attachChosen(tree, sink)
    }
  }
}
