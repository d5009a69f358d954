import ArgumentParser
import Foundation

extension ParsableArguments {
  /// Finds that the number of an option is out of its range. An option that is not given is right.
  package func check<Number: Comparable>(_ name: String, _ number: Number?, in range: ClosedRange<Number>) throws {
    guard let number, !range.contains(number) else { return }
    throw ValidationError("--\(name) takes a number in \(range), not \(number).")
  }
}

extension Broker {
  /// The server on the path. Without one the program says how to get it, and ends with 2.
  package static func found() throws -> String {
    if let executable { return executable }
    FileHandle.standardError.write(Data("\(remedy)\n".utf8))
    throw ExitCode(2)
  }
}

/// Rows of cells as lines, in columns that are as wide as their widest cells.
///
/// - Parameter rightAligned: the columns whose cells end at the right.
package func table(_ rows: [[String]], gap: Int, rightAligned: Set<Int> = []) -> [String] {
  assert(Set(rows.map(\.count)).count <= 1, "All rows have the same columns.")
  let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { cells in
    cells.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - cells[column].count)
      return rightAligned.contains(column) ? space + cells[column] : cells[column] + space
    }.joined(separator: String(repeating: " ", count: gap))
  }
}
