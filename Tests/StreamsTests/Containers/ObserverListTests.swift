import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("ObserverList")
struct ObserverListTests {
  private final class Numbered {
    let number: Int
    let object: LifetimeTracker.Object?

    init(_ number: Int, _ object: LifetimeTracker.Object? = nil) {
      self.number = number
      self.object = object
    }
  }

  private func number(of object: AnyObject) -> Int { (object as? Numbered)?.number ?? -1 }

  private func numbers(of list: borrowing ObserverList) -> [Int] {
    var numbers: [Int] = []
    list.forEach { numbers.append(number(of: $0)) }
    return numbers
  }

  @Test("It keeps the order through removals, hands out what it removes, and releases the rest")
  func order() {
    let tracker = LifetimeTracker()
    do {
      var list = ObserverList()
      let objects = (0..<100).map { Numbered($0, tracker.make()) }
      for object in objects { list.append(object, token: object.number * 2) }
      #expect(list.remove(objects[41], token: 82) === objects[41])
      #expect(list.remove(objects[41], token: 82) == nil, "it has left")
      #expect(list.remove(objects[3], token: 8) == nil, "another one has this token")
      #expect(list.remove(objects[3], token: 7) == nil, "no object has this token")
      #expect(numbers(of: list) == (0..<100).filter { $0 != 41 })
      #expect(list.count == 99)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("Taking out all gives them in their order, and the list can be filled again")
  func removeAll() {
    var list = ObserverList()
    let objects = (0..<10).map { Numbered($0) }
    for object in objects { list.append(object, token: object.number) }
    _ = list.remove(objects[4], token: 4)
    #expect(numbers(of: list.removeAll()) == [0, 1, 2, 3, 5, 6, 7, 8, 9])
    let count = list.count
    #expect(count == 0)
    list.append(objects[0], token: 20)
    #expect(numbers(of: list.removeAll()) == [0])
  }

  @Test("Random programs: the list does what a plain array does")
  func random() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      var list = ObserverList()
      var model: [Numbered] = []
      var nextToken = 0
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          nextToken += Int.random(in: 1...3, using: &random)
          let newcomer = Numbered(nextToken)
          list.append(newcomer, token: nextToken)
          model.append(newcomer)
        case 5..<9:
          guard !model.isEmpty else { break }
          let index = Int.random(in: 0..<model.count, using: &random)
          let removed = model.remove(at: index)
          #expect(list.remove(removed, token: removed.number) === removed, "seed \(seed)")
        default:
          // A walk in two steps, as a round makes it.
          let limit = Int.random(in: 0...nextToken + 1, using: &random)
          var position = 0
          var walked: [Int] = []
          let next = list.forEach(from: &position, below: limit) { walked.append(number(of: $0)) }
          #expect(next == model.map(\.number).first { $0 >= limit } ?? .max, "seed \(seed)")
          _ = list.forEach(from: &position, below: .max) { walked.append(number(of: $0)) }
          #expect(walked == model.map(\.number), "seed \(seed)")
        }
        #expect(list.count == model.count, "seed \(seed)")
      }
      #expect(numbers(of: list.removeAll()) == model.map(\.number), "seed \(seed)")
    }
  }

  @Test("A hundred thousand may leave in any order without a walk for each", arguments: ["first", "last", "shuffled"])
  func leaving(order: String) {
    let count = 100_000
    var list = ObserverList()
    let objects = (0..<count).map { Numbered($0) }
    for object in objects { list.append(object, token: object.number) }
    var generator = SplitMix(seed: 1)
    let leaving =
      switch order {
      case "first": objects
      case "last": Array(objects.reversed())
      default: objects.shuffled(using: &generator)
      }
    for object in leaving { #expect(list.remove(object, token: object.number) === object) }
    let (left, capacity) = (list.count, list.capacity)
    #expect(left == 0)
    #expect(capacity <= 32, "memory is given back, in whatever order they leave")
  }
}
