/// One run of a shape that has been set up: what is measured, and the proof that it was done.
struct Run {
  /// Sends the events, waits until everything they cause has happened, and returns how long that took.
  let work: () async throws -> Duration

  private let proofs: () async throws -> [Proof]

  /// A run all of whose work is measured.
  ///
  /// - Parameter proofs: what was counted, asked when the work is done. What it captures lives as long as the run: the
  ///   pipeline, and the tokens of its subscriptions.
  init(work: @escaping () async throws -> Void, proofs: @escaping () async throws -> [Proof]) {
    self.init(proofs: proofs) { try await ContinuousClock().measure { try await work() } }
  }

  /// A run that measures a part of its work.
  init(proofs: @escaping () async throws -> [Proof], measured: @escaping () async throws -> Duration) {
    work = measured
    self.proofs = proofs
  }

  /// Fails unless each number is as it must be.
  func check() async throws {
    for proof in try await proofs() where !proof.expected.contains(proof.counted) { throw WrongCount(proof: proof) }
  }
}

/// A number that shows that the work was done.
struct Proof: Sendable {
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
struct WrongCount: Error, CustomStringConvertible {
  let proof: Proof

  /// What was counted, and what it should have been.
  var description: String { "\(proof.what): \(proof.counted), expected \(proof.expected)" }
}
