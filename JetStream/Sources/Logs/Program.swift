import ArgumentParser

/// Looks at logs in JetStream for those who operate a program, without the types of their entries.
@main
struct LogsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Logs",
    abstract: "Any log on NATS JetStream, without its program.",
    discussion: """
      Owners and publishers may go on meanwhile. It exits with 0 if nothing is wrong, and with 1 if something is. The \
      words are those of `rasp-files`, which looks at logs in files.
      """,
    subcommands: [
      ListCommand.self, VerifyCommand.self, DumpCommand.self, ExportCommand.self, CutCommand.self,
    ]
  )
}
