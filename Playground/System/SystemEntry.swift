import Aggregate
import RASPInsight
import RASPJournal

extension Scenario {
  static let system = Scenario(
    name: "system",
    options: [.seconds, .json, .record, .why, .journal],
    help: """
      This machine's own sensors, each read by a timer of its own: processor load, memory, load
      average, network traffic, temperatures, the busiest processes. A sensor that this machine lacks
      is shown as unknown. Ends after 30 seconds. On a terminal ? shows the keys.
      """,
    jsonHelp: """
      processor    value (percent of all processors), each (percent of each)
      memory       used, total (bytes)
      load         one, five, fifteen (runnable processes, averaged over so many minutes)
      network      received, sent (bytes per second, the loopback interface left out)
      temperature  value (degrees Celsius, the hottest sensor), sensors (all of them)
      processes    busiest: name, value (percent of one processor)
      """,
    recordingReader: { path throws(JournalError) in try Recording<SystemState>(contentsOf: path).timeline },
    journalPrinter: Playground.journalPrinter(startingWith: SystemState())
  ) { arguments throws(RunFailure) in
    SystemScenario(options: try Options(arguments, explaining: SystemEvent.sourceNames))
  }
}
