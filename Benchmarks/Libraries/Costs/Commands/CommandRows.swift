import CostRows

/// The rows of commands and services.
public let commandRows: [CostRow] = []
