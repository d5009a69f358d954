import Counting

/// All rows that are counted. They stand in a module of their own, because what is measured is what a user's module
/// gets.
public let countedRows: [CountedRow] = [
  subjectRows, operatorRows, timedRows, bridgeRows, aggregateRows, selectionRows, readRows, keyedRows, viewRows,
  collectionRows, observedRows, commandRows, serviceRows, recordRows,
].flatMap { $0 }
