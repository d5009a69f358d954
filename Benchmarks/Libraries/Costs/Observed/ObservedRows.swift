import CostRows

/// The rows of rows in a state, and of observation.
public let observedRows: [CostRow] = []
