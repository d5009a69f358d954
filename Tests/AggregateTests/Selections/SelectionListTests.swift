import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate

@Suite("SelectionList")
struct SelectionListTests {
  private final class Owner: SelectionNodeOwner {
    func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode) {}
    func report(_ diagnostic: AggregatorDiagnostic) {}
  }

  private func node(_ field: Int) -> SelectionNode {
    let contents = UnsafeMutablePointer<FieldNode<Int>.Contents>.allocate(capacity: 1)
    contents.initialize(to: FieldNode<Int>.Contents(field))
    return FieldNode(contents, id: .unique(SelectorID.Token()), hash: 0, below: nil, of: Owner())
  }

  /// A selection that reads an element of an array.
  private func selection(_ index: Int, _ node: SelectionNode, holding object: LifetimeTracker.Object) -> ListedSelection
  {
    ListedSelection(node, field: node.field) { root, field in
      _ = object
      let new = root.assumingMemoryBound(to: [Int].self).pointee[index]
      let field = field.assumingMemoryBound(to: Int.self)
      if field.pointee == new { return false }
      field.pointee = new
      return true
    }
  }

  @Test(
    "It evaluates in place through additions and removals, like an array; it owns what is in it until it is taken out"
  )
  func program() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      let tracker = LifetimeTracker()
      do {
        var list = SelectionList()
        var model: [(index: Int, node: SelectionNode)] = []
        var values = Array(repeating: 0, count: 60)
        for step in 1...60 {
          if model.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
            let node = node(values[step - 1])
            list.append(selection(step - 1, node, holding: tracker.make()))
            model.append((step - 1, node))
          } else {
            let place = Int.random(in: 0..<model.count, using: &random)
            let left = LeftSelection(list.swapRemove(at: place))
            model.swapAt(place, model.count - 1)
            model.removeLast()
            #expect(
              tracker.liveCount == model.count + 1,
              "what was taken out is not released before the caller says so"
            )
            withExtendedLifetime(left) {}
          }
          values[Int.random(in: 0..<60, using: &random)] = step
          let old = values
          #expect(list.count == model.count)
          for (place, entry) in model.enumerated() {
            let before = entry.node.field.assumingMemoryBound(to: Int.self).pointee
            let hasChanged = withUnsafePointer(to: values) { list.evaluate(at: place, from: $0) }
            #expect(hasChanged == (before != old[entry.index]), "seed \(seed)")
            #expect(entry.node.field.assumingMemoryBound(to: Int.self).pointee == old[entry.index])
            #expect(list.withNode(at: place) { $0 === entry.node })
          }
        }
      }
      #expect(tracker.liveCount == 0, "seed \(seed)")
    }
  }

  @Test("A closure reads a state where it is, without copying it")
  func readsInPlace() {
    var state = Array(0..<100)
    let address = state.withUnsafeBufferPointer { $0.baseAddress }
    let seen = withUnsafePointer(to: state) { pointer in
      pointer.read { state in state.withUnsafeBufferPointer { $0.baseAddress } }
    }
    #expect(seen == address)
    state[0] = 1
    #expect(withUnsafePointer(to: state) { $0.read { $0[0] } } == 1)
  }
}
