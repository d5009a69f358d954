import Foundation
import RASPJournal

/// What is written of a file.
struct StoredFileLine: Encodable {
  let path: String
  let content: String
  let bytes: Int
  let firstEvent: Int
  let events: Int
  let states: Int
  let from: String?
  let to: String?
  let isSealed: Bool
  let types: [String]
  let problem: String?

  init(_ file: StoredFile, _ summary: StoredFile.Summary) {
    path = file.path
    content = file.content.rawValue
    bytes = file.size
    firstEvent = file.firstEvent
    events = summary.events
    states = summary.states
    from = summary.times.map { $0.lowerBound.wallTime }
    to = summary.times.map { $0.upperBound.wallTime }
    isSealed = summary.isSealed
    types = summary.types.map { "\($0.name) \($0.version)" }
    problem = summary.failure.map { "\($0)" }
  }

  func text(_ json: Bool) -> String {
    if json { return jsonText(self) }
    var parts = ["\(path.printable): \(content)", "\(bytes) bytes"]
    if events > 0 { parts.append("events \(firstEvent) to \(firstEvent + events - 1), \(from ?? "") to \(to ?? "")") }
    if content == StoredFile.Content.snapshot.rawValue { parts.append("after event \(firstEvent)") }
    if !types.isEmpty { parts.append(types.listed.printable) }
    if let problem { parts.append(problem.printable) }
    return parts.joined(separator: ", ")
  }
}

/// What is written of something that is wrong.
struct ProblemLine: Encodable {
  let path: String
  let problem: String

  init(_ problem: StoredFolder.Problem) {
    path = problem.path
    self.problem = problem.reason
  }

  func text(_ json: Bool) -> String {
    json ? jsonText(self) : "\(path.printable): \(problem.printable)"
  }
}

/// What is written of an event or a state. A value in JSON stands there as it is.
struct StoredValueLine {
  let json: String

  /// - Parameter partition: the path of the folder of the partition, if there are several.
  init(_ value: StoredFile.Value, in file: StoredFile, of partition: String? = nil) {
    var members: [String] = []
    if let partition { members.append("\"partition\":\(jsonText(URL(filePath: partition).lastPathComponent))") }
    let number = value.number ?? (file.content == .snapshot ? file.firstEvent : nil)
    if let number { members.append("\"number\":\(number)") }
    if let time = value.time { members.append("\"time\":\(jsonText(time.wallTime))") }
    members.append("\"type\":\(jsonText(value.type.name)),\"version\":\(value.type.version)")
    let data = Data(value.payload)
    let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    if isJSON, let text = String(validating: value.payload, as: UTF8.self), !text.contains(where: \.isNewline) {
      members.append("\"value\":\(text)")
    } else {
      members.append("\"base64\":\"\(data.base64EncodedString())\"")
    }
    json = "{\(members.joined(separator: ","))}"
  }
}
