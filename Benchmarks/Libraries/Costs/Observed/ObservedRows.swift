import CostRows

/// The rows of rows in a state, of the values of a state, and of observation.
public let observedRows =
  keyedRows + keyedWatchedRows + orderedRows + windowRows + undoRows + optimisticRows + alarmRows + observedFieldRows
  + observedTurnRows + plainRows
