extension RandomRows.Model {
  typealias View = RandomRows.View

  func subscribe(_ topic: Topic) {
    let subscriber = Subscriber(count, topic)
    count += 1
    // Held only when it has been told what it gets at once: as a token is.
    submit { self.admit(subscriber) }
    held.append(subscriber)
  }

  func admit(_ subscriber: Subscriber) {
    if !hasEnded {
      guard subscriber.isActive else { return }
      switch subscriber.topic {
      case .row(let key, let selector):
        let node = Node(key: key, selector: selector)
        if reported[node] == nil { reported.updateValue(field(of: node), forKey: node) }
      case .view(.coarsePrices):
        if coarsePrices == nil { coarsePrices = rows.mapValues { Double($0.fields.price) } }
      case .view: break
      }
      admitted.append(subscriber)
      subscriber.isAdmitted = true
    }
    sendFirst(subscriber)
    if hasEnded { end(subscriber) }
  }

  func sendFirst(_ subscriber: Subscriber) {
    switch subscriber.topic {
    case .row(let key, let selector):
      call(subscriber, RandomRows.text(field(of: Node(key: key, selector: selector))))
    case .view(.events): break
    case .view(let view):
      guard let entry = entry(of: view) else { return call(subscriber, value(of: view)) }
      // In the order in which they were made.
      for (key, row) in rows.sorted(by: { $0.value.number < $1.value.number }) {
        call(subscriber, entry(key, row.fields))
      }
    }
  }

  /// What a newcomer to the view gets for each row; `nil` if it gets one value.
  func entry(of view: View) -> ((Int, RandomRows.Fields) -> String)? {
    switch view {
    case .prices, .coarsePrices: { "\($0) \(Double($1.price))" }
    case .tagCounts: { "\($0) \(Double($1.tags.count))" }
    case .changes: { "inserted \($0) \($1.text)" }
    default: nil
    }
  }

  func field(of node: Node) -> Double? {
    rows[node.key].map { RandomRows.Selector.all[node.selector].read($0.fields) }
  }

  func cancel(_ subscriber: Subscriber) {
    guard subscriber.isActive else { return }
    subscriber.isActive = false
    leave(subscriber)
  }

  /// Taking a subscriber out is a job like any other; only it never delivers, which makes no difference to a thread
  /// alone.
  func leave(_ subscriber: Subscriber) {
    guard subscriber.isAdmitted else { return }
    submit {
      self.admitted.removeAll { $0 === subscriber }
      self.reported = self.reported.filter { node, _ in
        self.admitted.contains {
          if case .row(let key, let selector) = $0.topic { node == Node(key: key, selector: selector) } else { false }
        }
      }
      if !self.admitted.contains(where: { $0.watches(.coarsePrices) }) { self.coarsePrices = nil }
    }
  }

  func finish() {
    hasEnded = true
    for subscriber in admitted { end(subscriber) }
  }

  func end(_ subscriber: Subscriber) {
    guard subscriber.isActive else { return }
    subscriber.isActive = false
    noted.append(RandomRows.Noted(subscriber: subscriber.number, text: "end"))
    leave(subscriber)
  }
}
