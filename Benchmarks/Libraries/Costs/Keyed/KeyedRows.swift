import CostRows

/// The rows of keyed aggregators.
public let keyedRows: [CostRow] =
  sendRows + packetRows + comingRows + readRows + selectionRows + transitionRows + eachRows + streamRows + queryRows
  + rankingRows + shardedViewRows + evictionRows + waitingRows
