import CostRows

/// The rows of operators, stages and time.
public let operatorRows: [CostRow] =
  valueRows + joinRows + combineRows + timedRows + failingRows + sharingRows + receivingRows + builderRows
