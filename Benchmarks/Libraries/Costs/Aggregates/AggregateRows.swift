import CostRows

/// The rows of aggregators, selections and the values of a state.
public let aggregateRows: [CostRow] = []
