import CostRows

/// The rows of subjects, subscriptions, sharing and the bridges to asynchronous sequences.
public let streamRows: [CostRow] =
  subjectRows + packetRows + waitingRows + replayRows + subjectLifeRows + subscribingRows + producerRows + firstRows
  + valuesRows + causeRows
