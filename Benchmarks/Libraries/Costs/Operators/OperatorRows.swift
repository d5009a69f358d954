import CostRows

/// The rows of operators, stages and time.
public let operatorRows: [CostRow] = []
