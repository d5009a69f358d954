extension RandomRows {
  /// A dictionary of rows, a list of subscribers, and the line of what waits.
  final class Model {
    enum Topic {
      case row(Int, selector: Int)
      case view(View)
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

      var key: Int? { if case .row(let key, _) = topic { key } else { nil } }

      func watches(_ view: View) -> Bool {
        if case .view(let own) = topic { own == view } else { false }
      }
    }

    struct Row {
      var fields: Fields
      /// Rises with each row that is made.
      let number: Int
      /// The number of its last event.
      var stamp = 0
    }

    struct Node: Hashable {
      let key: Int
      let selector: Int
    }

    let program: Program
    let refuses: Bool
    var rows: [Int: Row] = [:]
    /// What the subscribers to a selection of a row have been told last.
    var reported: [Node: Double?] = [:]
    /// What the subscribers to the coarse prices of all rows have been told last; `nil` without subscribers.
    var coarsePrices: [Int: Double]?
    /// Those that are told, in the order in which they came.
    var admitted: [Subscriber] = []
    /// Those whose tokens the program has.
    var held: [Subscriber] = []
    var count = 0
    var calls = 0
    var lastNumber = 0
    var lastStamp = 0
    /// The last event's number at each of the newest looks for idle rows.
    var marks: [Int] = []
    var isClosed = false
    var hasEnded = false
    var isOwned = false
    var line: [() -> Void] = []
    var noted: [Noted] = []

    init(_ program: Program, refuses: Bool) {
      self.program = program
      self.refuses = refuses
      perform(program.outside)
    }

    func perform(_ steps: [Step]) {
      for step in steps {
        switch step {
        case .send(let event): answer(send([event]))
        case .several(let events): answer(send(events))
        case .insert(let key, let price): submit { if !self.hasEnded { self.insert(Fields(price: price), for: key) } }
        case .remove(let key):
          submit { if !self.hasEnded, self.rows[key] != nil { self.remove(key, "removed") } }
        case .selectRow(let index, let key): subscribe(.row(key, selector: index))
        case .watch(let view): subscribe(.view(view))
        case .cancel(let index): if !held.isEmpty { cancel(held[index % held.count]) }
        case .read(let kind, let key): noted.append(Noted(subscriber: Noted.program, text: read(kind, key)))
        case .advance(let count):
          guard program.isIdleEvicted, !isClosed else { continue }
          for _ in 0..<count { submit { self.sweep() } }
        case .finish:
          let isFirst = !isClosed
          isClosed = true
          if isFirst { submit { self.finish() } }
          answer(isFirst)
        }
      }
    }

    func answer(_ isAccepted: Bool) {
      noted.append(Noted(subscriber: Noted.program, text: "\(isAccepted)"))
    }

    func send(_ events: [Event]) -> Bool {
      if isClosed { return false }
      submit(events.map { event in { self.fold(event, of: event.key) } })
      return true
    }

    func submit(_ job: @escaping () -> Void) { submit([job]) }

    func submit(_ jobs: [() -> Void]) {
      line += jobs
      guard !isOwned else { return }
      isOwned = true
      while !line.isEmpty { line.removeFirst()() }
      isOwned = false
    }

    func call(_ subscriber: Subscriber, _ text: String) {
      guard subscriber.isActive else { return }
      noted.append(Noted(subscriber: subscriber.number, text: text))
      let call = calls
      calls += 1
      perform(program.inside[call] ?? [])
    }

    func read(_ kind: Int, _ key: Int) -> String {
      switch kind {
      case 0: rows[key]?.fields.text ?? "nil"
      case 1: text(rows[key].map { Selector.all[3].read($0.fields) })
      case 2: "\(rows.count)"
      case 3: "\(admitted.count { $0.key == key })"
      case 4: value(of: .dear)
      case 5: value(of: .elevated)
      default: value(of: .highest)
      }
    }
  }
}
