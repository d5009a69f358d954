import CostRows

/// The rows of commands and services.
public let commandRows: [CostRow] = Array(
  [
    executionRows, policyRows, middlewareRows, reactionRows, factRows, awaitedRows, serviceRows, reducerRows, treeRows,
    bridgeRows,
  ].joined()
)
