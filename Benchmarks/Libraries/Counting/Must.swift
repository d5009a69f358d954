/// Returns what a row needs. A row whose work fails must not be counted, so the program ends.
@inlinable
public func must<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { fatalError("A row has failed: \(error)") }
}

/// Returns what a row needs, and waits for it.
@inlinable
public nonisolated(nonsending) func must<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async -> Result {
  do { return try await body() } catch { fatalError("A row has failed: \(error)") }
}
