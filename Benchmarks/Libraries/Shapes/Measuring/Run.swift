/// One run of a shape that has been set up: what is measured, and the proof that it was done.
public struct Run {
  /// Sends the events and returns when everything they cause has happened.
  public let work: () async throws -> Void

  private let proofs: () async throws -> [Proof]

  /// - Parameter proofs: what was counted, asked when the work is done. What it captures lives as long as the run: the
  ///   pipeline, and the tokens of its subscriptions.
  init(work: @escaping () async throws -> Void, proofs: @escaping () async throws -> [Proof]) {
    self.work = work
    self.proofs = proofs
  }

  /// Fails unless each number is as it must be.
  public func check() async throws {
    for proof in try await proofs() where !proof.expected.contains(proof.counted) { throw WrongCount(proof: proof) }
  }
}

/// A number that shows that the work was done.
public struct Proof: Sendable {
  let what: String
  let counted: Int
  let expected: ClosedRange<Int>

  init(_ what: String, _ counted: Int, is expected: Int) {
    self.init(what, counted, isIn: expected...expected)
  }

  init(_ what: String, _ counted: Int, isIn expected: ClosedRange<Int>) {
    self.what = what
    self.counted = counted
    self.expected = expected
  }
}

/// A measurement that is worth nothing, because what was measured did not do its work.
public struct WrongCount: Error, CustomStringConvertible {
  let proof: Proof

  /// What was counted, and what it should have been.
  public var description: String {
    "\(proof.what): \(proof.counted), expected \(proof.expected)"
  }
}
