// What the block of the landing page of `RASPLogsTesting` uses and does not show.

func inNewFolder(_ body: (String) async throws -> Void) async throws { try await body("") }
