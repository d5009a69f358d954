import Logging
import RASPSources

@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let feed = Int(arguments[2]), let port = Int(arguments[3]) else {
      print("Quotes FOLDER FEED-PORT HTTP-PORT")
      return
    }
    let options = Options(folder: arguments[1], feed: .host("127.0.0.1", port: feed), port: port)
    try await QuotesServer(options, logger: Logger(label: "quotes")).group.run()
  }
}
