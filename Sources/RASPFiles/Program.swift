import Foundation

/// The program: reads the command line, does what it asks for, and turns a failure into an exit status.
@main
enum Program {
  static func main() async {
    do throws(FilesFailure) {
      guard let command = try FilesCommand(Array(CommandLine.arguments.dropFirst())) else {
        return write(FilesCommand.help)
      }
      try await command.run(write)
    } catch {
      try? FileHandle.standardError.write(contentsOf: Data("rasp-files: \(error.message)\n".utf8))
      exit(error.status)
    }
  }

  /// Writes a line, and ends the program if it cannot be written: there is nothing left to do then.
  private static func write(_ line: String) {
    do { try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8)) } catch {
      try? FileHandle.standardError.write(contentsOf: Data("rasp-files: cannot write the output: \(error)\n".utf8))
      exit(FilesFailure.cannotWrite)
    }
  }
}
