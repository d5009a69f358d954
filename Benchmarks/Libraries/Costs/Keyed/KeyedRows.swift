import CostRows

/// The rows of keyed aggregators.
public let keyedRows: [CostRow] = []
