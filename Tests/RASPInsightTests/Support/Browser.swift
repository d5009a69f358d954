import Foundation

/// A headless Chromium that a test moves by the WebDriver protocol.
final class Browser: Sendable {
  /// Whether this machine has a browser and its driver. On Debian they are the packages `chromium` and
  /// `chromium-driver`. The variable `RASP_NO_BROWSER` says that there is none.
  static let isInstalled =
    ProcessInfo.processInfo.environment["RASP_NO_BROWSER"] == nil && driver != nil && chromium != nil

  private static let driver = path(of: ["chromedriver"])
  private static let chromium = path(of: ["chromium", "chromium-browser", "google-chrome"])

  private static func path(of names: [String]) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let server: LocalServer
  /// The path of the session.
  private let session: String

  private init(server: LocalServer, session: String) {
    self.server = server
    self.session = session
  }

  /// Starts a driver and a browser, and ends both when `body` has returned.
  static func open(_ body: (Browser) async throws -> Void) async throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: driver ?? "")
    process.arguments = ["--port=0"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Not by `terminate()`: a process that a thread of a pool starts has its blocked signals, of which that is one.
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = try await port(announcedIn: output.fileHandleForReading)
    let capabilities: [String: Any] = [
      "alwaysMatch": [
        "browserName": "chrome",
        "goog:chromeOptions": [
          "binary": chromium ?? "",
          "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--force-color-profile=srgb", "--lang=en-US",
          ],
        ],
        "goog:loggingPrefs": ["browser": "ALL"],
      ]
    ]
    let start = Browser(server: LocalServer(port: port), session: "")
    let answer = try await start.send("POST", "/session", ["capabilities": capabilities])
    guard let id = (answer as? [String: Any])?["sessionId"] as? String else { throw Failure(description: "\(answer)") }
    let browser = Browser(server: start.server, session: "/session/\(id)")
    let result: Result<Void, any Error>
    do { result = .success(try await body(browser)) } catch { result = .failure(error) }
    _ = try? await browser.send("DELETE", "")
    try result.get()
  }

  /// The driver chooses a port and writes it on its first lines.
  private static func port(announcedIn output: FileHandle) async throws -> UInt16 {
    let (texts, feed) = AsyncStream.makeStream(of: String.self)
    output.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty { feed.finish() } else { feed.yield(String(decoding: data, as: UTF8.self)) }
    }
    defer { output.readabilityHandler = nil }
    var text = ""
    for await part in texts {
      text += part
      if let match = text.firstMatch(of: /on port (\d+)\./), let port = UInt16(match.1) { return port }
    }
    throw Failure(description: "chromedriver has not started: \(text)")
  }

  // MARK: What a person does

  func go(to file: URL) async throws {
    // Without the blank page a second visit that differs in the part behind `#` would load nothing.
    _ = try await send("POST", "/url", ["url": "about:blank"])
    _ = try await send("POST", "/url", ["url": file.absoluteString])
  }

  /// Clicks at an element where the page has drawn it. The page draws in the next frame what has changed.
  func click(_ selector: String) async throws {
    _ = try await evaluate("return new Promise((drawn) => requestAnimationFrame(() => drawn(true)))", as: Bool.self)
    _ = try await send("POST", "/element/\(element(selector))/click", [:])
  }

  func type(_ text: String, into selector: String) async throws {
    _ = try await send("POST", "/element/\(element(selector))/value", ["text": text])
  }

  /// Presses keys, wherever the focus is.
  func press(_ keys: Key...) async throws {
    let actions = keys.flatMap { key in
      [["type": "keyDown", "value": key.code], ["type": "keyUp", "value": key.code]]
    }
    _ = try await send("POST", "/actions", ["actions": [["type": "key", "id": "keyboard", "actions": actions]]])
  }

  /// The text that is shown in an element.
  func text(of selector: String) async throws -> String {
    try await send("GET", "/element/\(element(selector))/text") as? String ?? ""
  }

  /// The value that a script returns.
  func evaluate<Value>(_ script: String, as type: Value.Type = Value.self) async throws -> Value {
    let answer = try await send("POST", "/execute/sync", ["script": script, "args": [Int]()])
    guard let value = answer as? Value else { throw Failure(description: "\(script): \(answer)") }
    return value
  }

  /// What the page has written to its console, errors above all.
  func console() async throws -> [String] {
    let entries = try await send("POST", "/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
    return entries.map { "\($0["level"] ?? ""): \($0["message"] ?? "")" }
  }

  /// Shows the page on a screen of this size.
  func show(width: Int, height: Int, dark: Bool, touch: Bool = false) async throws {
    try await control(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 2, "mobile": touch]
    )
    try await control("Emulation.setTouchEmulationEnabled", ["enabled": touch])
    try await control(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]]]
    )
  }

  /// A picture of what is shown, as a PNG file.
  func picture() async throws -> Data {
    Data(base64Encoded: try await send("GET", "/screenshot") as? String ?? "") ?? Data()
  }

  private func control(_ command: String, _ parameters: [String: Any]) async throws {
    _ = try await send("POST", "/goog/cdp/execute", ["cmd": command, "params": parameters])
  }

  private func element(_ selector: String) async throws -> String {
    let answer = try await send("POST", "/element", ["using": "css selector", "value": selector])
    guard let id = (answer as? [String: Any])?.values.first as? String else { throw Failure(description: selector) }
    return id
  }

  private func send(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> Any {
    let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let (status, text) = try await server.send(method, session + path, data)
    let answer = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
    guard status == 200 else { throw Failure(description: "\(method) \(path) \(body ?? [:]): \(answer)") }
    return answer["value"] ?? NSNull()
  }
}

extension Browser {
  /// A key, by the codes of the WebDriver protocol.
  enum Key: ExpressibleByStringLiteral {
    case down, up, left, right, home, end, escape, enter
    case letter(String)

    init(stringLiteral value: String) { self = .letter(value) }

    var code: String {
      switch self {
      case .down: "\u{E015}"
      case .up: "\u{E013}"
      case .left: "\u{E012}"
      case .right: "\u{E014}"
      case .home: "\u{E011}"
      case .end: "\u{E010}"
      case .escape: "\u{E00C}"
      case .enter: "\u{E007}"
      case .letter(let letter): letter
      }
    }
  }
}
