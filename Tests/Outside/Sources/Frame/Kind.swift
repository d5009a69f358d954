/// A kind of programs, of which each seed makes one.
struct Kind: Sendable {
  let name: String
  let run: @Sendable (Numbers, Transcript) async -> Void

  /// Each is a column of `Hashes.txt`.
  static let all = [
    Kind(name: "trees", run: Trees.run),
    Kind(name: "subjects", run: Subjects.run),
    Kind(name: "readers", run: Readers.run),
    Kind(name: "states", run: Ledgers<Willing>.run),
    Kind(name: "rows", run: Shelves<Willing>.run),
    Kind(name: "tapes", run: Tapes.run),
    Kind(name: "commands", run: Commands.run),
    Kind(name: "overlaps", run: Overlaps.run),
    Kind(name: "services", run: Services.run),
    Kind(name: "emitters", run: Emitters.run),
    Kind(name: "logs", run: Logs.run),
  ]

  func transcript(of seed: Int) async -> Transcript {
    let transcript = Transcript()
    await run(Numbers(seed: seed), transcript)
    return transcript
  }
}
