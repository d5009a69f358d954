import CostRows

/// The rows of aggregators and selections.
public let aggregateRows: [CostRow] =
  sendRows + waitingRows + lifeRows + selectionRows + comparingRows + combiningRows + subscribingRows + readRows
  + streamRows + transitionRows + rejectionRows + submitRows + sourceRows + namedSourceRows + scopeRows + valuesRows
  + recordedRows
