import AggregateTestSupport

extension RandomTree {
  final class Model {
    enum Topic {
      case selection(Int)
      case states
      case events
    }

    final class Subscriber {
      let number: Int
      let topic: Topic
      var isActive = true
      var isAdmitted = false

      init(_ number: Int, _ topic: Topic) {
        self.number = number
        self.topic = topic
      }
    }

    struct Node {
      var field: Part
      var outer: Part?
    }

    let program: Program
    let refuses: Bool
    let links: [[Link]]
    var fields = Fields()
    var nodes: [[String]: Node] = [:]
    /// Those in the tree, in the order in which they came.
    var admitted: [Subscriber] = []
    /// Those whose tokens the program has.
    var held: [Subscriber] = []
    var count = 0
    var calls = 0
    var isClosed = false
    var hasEnded = false
    var isOwned = false
    var line: [() -> Void] = []
    var noted: [Noted] = []

    init(_ program: Program, refuses: Bool, links: [[Link]]) {
      self.program = program
      self.refuses = refuses
      self.links = links
      perform(program.outside)
    }

    func perform(_ steps: [Step]) {
      for step in steps {
        switch step {
        case .send(let event):
          let accepted = !isClosed
          if accepted { submit([{ self.fold(event) }]) }
          noted.append(.answer(accepted))
        case .several(let events):
          let accepted = !isClosed
          if accepted { submit(events.map { event in { self.fold(event) } }) }
          noted.append(.answer(accepted))
        case .select(let index): subscribe(.selection(index))
        case .states: subscribe(.states)
        case .events: subscribe(.events)
        case .cancel(let index): if !held.isEmpty { cancel(held[index % held.count]) }
        case .read(let index): noted.append(.current(current(index)))
        case .finish:
          let accepted = !isClosed
          isClosed = true
          if accepted { submit([finish]) }
          noted.append(.answer(accepted))
        }
      }
    }

    func submit(_ work: [() -> Void]) {
      line += work
      guard !isOwned else { return }
      isOwned = true
      while !line.isEmpty { line.removeFirst()() }
      isOwned = false
    }

    func call(_ subscriber: Subscriber, _ entry: Noted) {
      guard subscriber.isActive else { return }
      noted.append(entry)
      let call = calls
      calls += 1
      perform(program.inside[call] ?? [])
    }

    func current(_ index: Int) -> Int {
      links[index].reduce(Part.fields(fields)) { $1.value(of: $0) }.number
    }

    func subscribe(_ topic: Topic) {
      let subscriber = Subscriber(count, topic)
      count += 1
      submit([{ self.admit(subscriber) }])
      held.append(subscriber)
    }

    func admit(_ subscriber: Subscriber) {
      if !hasEnded {
        guard subscriber.isActive else { return }
        if case .selection(let index) = subscriber.topic { makeNodes(index) }
        admitted.append(subscriber)
        subscriber.isAdmitted = true
      }
      switch subscriber.topic {
      case .selection(let index): call(subscriber, .field(current(index), subscriber: subscriber.number))
      case .states: call(subscriber, .state(fields, subscriber: subscriber.number))
      case .events: break
      }
      if hasEnded { end(subscriber) }
    }

    func end(_ subscriber: Subscriber) {
      guard subscriber.isActive else { return }
      subscriber.isActive = false
      noted.append(.end(subscriber: subscriber.number))
    }

    func makeNodes(_ index: Int) {
      var path: [String] = []
      var part = Part.fields(fields)
      for link in links[index] {
        path.append(link.name)
        if nodes[path] == nil { nodes[path] = Node(field: link.value(of: part), outer: link.outer?.read(part)) }
        part = node(path).field
      }
    }

    func cancel(_ subscriber: Subscriber) {
      guard subscriber.isActive else { return }
      subscriber.isActive = false
      guard subscriber.isAdmitted else { return }
      // Taking it out is a job like any other; only it never delivers, which makes no difference to a thread alone.
      submit([
        {
          self.admitted.removeAll { $0 === subscriber }
          let needed = Set(self.admitted.flatMap { self.paths(of: $0) })
          self.nodes = self.nodes.filter { needed.contains($0.key) }
        }
      ])
    }

    func paths(of subscriber: Subscriber) -> [[String]] {
      guard case .selection(let index) = subscriber.topic else { return [] }
      let names = links[index].map(\.name)
      return (1...names.count).map { Array(names.prefix($0)) }
    }

    func fold(_ event: Event) {
      var isRefused = false
      if case .refuse = event { isRefused = refuses }
      if !isRefused { event.apply(to: &fields) }
      var changed: Set<[String]> = []
      if !isRefused {
        for path in nodes.keys.sorted(by: { $0.count < $1.count }) {
          if path.count > 1, !changed.contains(path.dropLast()) { continue }
          if update(path) { changed.insert(path) }
        }
      }
      let told = admitted
      for subscriber in told {
        switch subscriber.topic {
        case .events: call(subscriber, .event(event, subscriber: subscriber.number))
        case .states: if !isRefused { call(subscriber, .state(fields, subscriber: subscriber.number)) }
        case .selection:
          guard let path = paths(of: subscriber).last, changed.contains(path) else { continue }
          call(subscriber, .field(node(path).field.number, subscriber: subscriber.number))
        }
      }
    }

    func node(_ path: [String]) -> Node {
      guard let node = nodes[path] else { preconditionFailure("The reference has lost \(path).") }
      return node
    }

    func update(_ path: [String]) -> Bool {
      guard let link = links.first(where: { $0.map(\.name).starts(with: path) })?[path.count - 1] else { return false }
      let part = path.count > 1 ? node(path.dropLast()).field : Part.fields(fields)
      var node = node(path)
      defer { nodes[path] = node }
      if let outer = link.outer {
        let new = outer.read(part)
        if let old = node.outer, outer.isSame(old, new) { return false }
        node.outer = new
      }
      let new = link.value(of: part)
      if link.isSame(node.field, new) { return false }
      node.field = new
      return true
    }

    func finish() {
      hasEnded = true
      for subscriber in admitted { end(subscriber) }
    }
  }
}
