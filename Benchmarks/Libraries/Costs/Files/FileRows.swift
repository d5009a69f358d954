import CostRows

/// The rows of recorders, journals and logs.
public let fileRows: [CostRow] = Array([recorderRows, explanationRows, journalRows, coderRows, logRows].joined())
