import CostRows

/// The rows of recorders, journals and logs.
public let fileRows: [CostRow] = []
