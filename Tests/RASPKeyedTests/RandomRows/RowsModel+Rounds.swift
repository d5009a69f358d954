extension RandomRows.Model {
  typealias Fields = RandomRows.Fields
  typealias Event = RandomRows.Event

  func fold(_ event: Event, of key: Int) {
    if event.isRefused, refuses {
      for subscriber in admitted where subscriber.watches(.events) { call(subscriber, event.text) }
      noted.append(RandomRows.Noted(subscriber: RandomRows.Noted.refusals, text: event.text))
      return
    }
    var fields = rows[key]?.fields ?? Fields()
    event.apply(to: &fields)
    insert(fields, for: key, by: event)
  }

  /// Puts a row in, in the place of the one that is there.
  func insert(_ fields: Fields, for key: Int, by event: Event? = nil) {
    let isNew = rows[key] == nil
    change(key, "\(isNew ? "inserted" : "updated") \(key) \(fields.text)", by: event) {
      if isNew { lastNumber += 1 }
      lastStamp += 1
      rows[key] = Row(fields: fields, number: rows[key]?.number ?? lastNumber, stamp: lastStamp)
    }
    if isNew { evict(besides: key) }
  }

  func remove(_ key: Int, _ reason: String) {
    guard let row = rows[key] else { return }
    change(key, "removed \(key) \(row.fields.text) \(reason)") { rows[key] = nil }
  }

  /// Changes one row, and tells the subscribers concerned in the order in which they came.
  func change(_ key: Int, _ text: String, by event: Event? = nil, _ body: () -> Void) {
    let before = Moment(self, key)
    body()
    let after = Moment(self, key)
    let told = admitted
    var changed: Set<Node> = []
    for subscriber in told {
      guard case .row(key, let selector) = subscriber.topic else { continue }
      let node = Node(key: key, selector: selector)
      let new = field(of: node)
      if !isSame(reported[node] ?? nil, new, by: RandomRows.Selector.all[selector].isSame) { changed.insert(node) }
    }
    for node in changed { reported.updateValue(field(of: node), forKey: node) }
    let coarsePrice = coarsePrice(of: key)

    for subscriber in told {
      switch subscriber.topic {
      case .row(let key, let selector):
        let node = Node(key: key, selector: selector)
        if changed.contains(node) { call(subscriber, RandomRows.text(reported[node] ?? nil)) }
      case .view(let view):
        let news: String? =
          switch view {
          case .prices: news(before, after, key) { Double($0.price) }
          case .tagCounts: news(before, after, key) { Double($0.tags.count) }
          case .coarsePrices: coarsePrice.map { "\(key) \($0)" }
          case .changes: text
          case .events: event?.text
          case .highest: min(before.highest ?? .max, after.highest ?? .max) < 2 ? value(after.highestWindow) : nil
          case .cheapest: min(before.cheapest ?? .max, after.cheapest ?? .max) < 3 ? value(after.cheapestWindow) : nil
          case .dear: before.dear == after.dear ? nil : "\(after.dear.count)"
          case .elevated: before.elevated == after.elevated ? nil : RandomRows.text(after.elevated.sorted())
          case .keys: before.keys == after.keys ? nil : RandomRows.text(after.keys.sorted())
          }
        if let news { call(subscriber, news) }
      }
    }
  }

  /// What was reported last of a row decides, and not what it was before.
  private func coarsePrice(of key: Int) -> Double? {
    guard let last = coarsePrices else { return nil }
    let new = rows[key].map { Double($0.fields.price) }
    if let old = last[key], let new, abs(old - new) < 3 { return nil }
    coarsePrices?[key] = new
    return new
  }

  private func news(_ before: Moment, _ after: Moment, _ key: Int, _ read: (Fields) -> Double) -> String? {
    guard let new = after.fields.map(read), new != before.fields.map(read) else { return nil }
    return "\(key) \(new)"
  }

  private func isSame(_ old: Double?, _ new: Double?, by isSame: (Double, Double) -> Bool) -> Bool {
    if let old, let new { isSame(old, new) } else { old == nil && new == nil }
  }

  /// The whole value of a view that has one.
  func value(of view: View) -> String {
    let now = Moment(self, 0)
    return switch view {
    case .highest: value(now.highestWindow)
    case .cheapest: value(now.cheapestWindow)
    case .dear: "\(now.dear.count)"
    case .elevated: RandomRows.text(now.elevated.sorted())
    default: RandomRows.text(now.keys.sorted())
    }
  }

  private func value(_ window: [Int]) -> String { RandomRows.text(window) }

  /// What views say of the rows at one moment, each found anew by looking at all rows.
  struct Moment {
    let fields: Fields?
    let keys: Set<Int>
    let dear: Set<Int>
    let elevated: Set<Int>
    let highestWindow: [Int]
    let cheapestWindow: [Int]
    /// The rank of the row.
    let highest: Int?
    let cheapest: Int?

    init(_ model: RandomRows.Model, _ key: Int) {
      let rows = model.rows
      fields = rows[key]?.fields
      keys = Set(rows.keys)
      dear = Set(rows.filter { $0.value.fields.price > 2 }.keys)
      elevated = Set(rows.filter { $0.value.fields.level > 1 }.keys)
      let byAge = rows.sorted { $0.value.number < $1.value.number }
      // NaN is behind all others. A stable sort, by hand.
      let levels = byAge.map { (key: $0.key, value: $0.value.fields.level.isNaN ? 100 : -$0.value.fields.level) }
      let byLevel = levels.enumerated().sorted { ($0.element.value, $0.offset) < ($1.element.value, $1.offset) }
      let byPrice = byAge.enumerated().sorted {
        ($0.element.value.fields.price, $0.offset) < ($1.element.value.fields.price, $1.offset)
      }
      highestWindow = byLevel.prefix(2).map(\.element.key)
      cheapestWindow = byPrice.prefix(3).map(\.element.key)
      highest = byLevel.firstIndex { $0.element.key == key }
      cheapest = byPrice.firstIndex { $0.element.key == key }
    }
  }
}
