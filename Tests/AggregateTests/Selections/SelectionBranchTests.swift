import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate

@Suite("SelectionBranch")
struct SelectionBranchTests {
  private final class Owner: SelectionNodeOwner {
    func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode) {}
    func report(_ diagnostic: AggregatorDiagnostic) {}
  }

  /// A selector of an element of an array.
  private func selector(_ index: Int, holding object: LifetimeTracker.Object) -> StateSelector<[Int], Int> {
    StateSelector { (values: [Int]) in withExtendedLifetime(object) { values[index] } }
  }

  @Test(
    "It evaluates in place through additions and removals, like an array; it owns what is in it until it is taken out"
  )
  func program() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      let tracker = LifetimeTracker()
      let owner = Owner()
      do {
        var branch = SelectionBranch()
        var model: [(index: Int, node: ObjectIdentifier)] = []
        var values = Array(repeating: 0, count: 60)
        for step in 1...60 {
          if model.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
            let selector = selector(step - 1, holding: tracker.make())
            let node = withUnsafePointer(to: values) { branch.enter(selector, from: $0, below: nil, of: owner) }
            let again = withUnsafePointer(to: values) { branch.enter(selector, from: $0, below: nil, of: owner) }
            #expect(node === again, "a selector has one node")
            model.append((step - 1, ObjectIdentifier(node)))
          } else {
            let place = Int.random(in: 0..<model.count, using: &random)
            let left: SelectionNode = branch.list[place]
            branch.remove(left)
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
          #expect(branch.count == model.count)
          for (place, entry) in model.enumerated() {
            let node: SelectionNode = branch.list[place]
            #expect(ObjectIdentifier(node) == entry.node && Int(node.position) == place)
            let before = node.field.assumingMemoryBound(to: Int.self).pointee
            let hasChanged = withUnsafePointer(to: values) { node.update($0, node.field) }
            #expect(hasChanged == (before != old[entry.index]), "seed \(seed)")
            #expect(node.field.assumingMemoryBound(to: Int.self).pointee == old[entry.index])
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
