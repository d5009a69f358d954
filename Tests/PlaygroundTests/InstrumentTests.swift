import Testing

@testable import Playground

@Suite("The compass and the track")
struct InstrumentTests {
  private func track(_ points: (Double, Double)...) -> Track {
    points.reduce(into: Track()) { $0.apply(Location(latitude: $1.0, longitude: $1.1)) }
  }

  @Test("dots have their places in a character, and those outside are left out")
  func canvas() {
    var canvas = BrailleCanvas(columns: 2, rows: 1)
    for (x, y) in [(0, 0), (1, 3), (2, 1), (4, 0), (-1, 0), (0, 4)] { canvas.set(x: x, y: y) }
    #expect(canvas.lines == ["⢁⠂"])
    #expect(BrailleCanvas(columns: -1, rows: 2).lines == ["", ""])
  }

  @Test("the heading is in the middle of the tape, and the names of the directions beside it")
  func compass() {
    let lines = CompassTape(heading: Heading(degrees: 0, reference: .true)).lines(columns: 61)
    #expect(lines[0].count == 61)
    #expect(Array(lines[0])[30] == "N")
    #expect(Array(lines[0])[60] == "E" && Array(lines[0])[0] == "W")
    #expect(lines[1] == String(repeating: " ", count: 30) + "▲ 0.0° true")
    let full = CompassTape(heading: Heading(degrees: 359.97, reference: .true)).lines(columns: 61)
    #expect(full[1].hasSuffix("▲ 0.0° true"))
    let past = CompassTape(heading: Heading(degrees: 357, reference: .magnetic)).lines(columns: 61)
    #expect(Array(past[0])[31] == "N")
    #expect(CompassTape(heading: Heading(degrees: 0, reference: .true)).lines(columns: 5) == [])
  }

  @Test("a way to the north goes up, one to the east goes right, and the vessel is at its end")
  func directions() {
    let north = track((0, 0), (0.5, 0), (1, 0)).lines(columns: 9, rows: 4)
    #expect(north.count == 4)
    #expect(north[0].contains("●") && !north[2].allSatisfy { $0 == " " })
    #expect(north[3] == "track: 60 NM across, north is up")
    let east = track((0, 0), (0, 1)).lines(columns: 9, rows: 4)
    #expect(east[1].hasSuffix("●"))
  }

  @Test("the date line is no end, and a track of one point is one point")
  func special() {
    #expect(track((0, 179.9), (0, -179.9)).lines(columns: 9, rows: 4)[3].hasPrefix("track: 12 NM"))
    #expect(track((10, 20)).lines(columns: 9, rows: 4).joined().contains("●"))
    #expect(track((90, 0), (90, 100)).lines(columns: 9, rows: 4).count == 4)
    #expect(Track().lines(columns: 9, rows: 4) == [])
    #expect(track((0, 0)).lines(columns: 3, rows: 4) == [])
  }

  @Test("a long track keeps its shape and its end in bounded memory")
  func long() {
    var track = Track()
    for number in 0...20_000 { track.apply(Location(latitude: Double(number) / 1_000, longitude: 0)) }
    #expect(track.points.count <= 2_000)
    #expect(track.points.first?.latitude == 0 && track.points.last?.latitude == 20)
  }

  @Test("what is known no more is struck, or stands in parentheses where nothing can be struck")
  func stale() {
    var dashboard = Dashboard(title: "T", fields: ["depth"])
    dashboard.show(.depth(5), at: .seconds(1))
    dashboard.show(.depth(nil), at: .seconds(12))
    let size = TerminalSize(columns: 80, rows: 24)
    #expect(DashboardPicture(dashboard).lines(size)[1].contains("(5.0 m)"))
    #expect(DashboardPicture(dashboard, colours: true).lines(size)[1].contains("\u{1B}[2;9m5.0 m\u{1B}[0m"))
    dashboard.show(.depth(6), at: .seconds(13))
    #expect(DashboardPicture(dashboard).lines(size)[1].contains(" 6.0 m "))
  }

  @Test("what a scenario has to show is below, if there is space")
  func more() {
    let picture = DashboardPicture(Dashboard(title: "T", fields: ["depth"]))
    func lines(_ rows: Int) -> [String] {
      picture.lines(TerminalSize(columns: 80, rows: rows), more: { size in Array(repeating: "more", count: size.rows) })
    }
    #expect(lines(10).count { $0 == "more" } == 7)
    #expect(lines(10).count == 10)
    #expect(!lines(4).contains("more"))
  }
}
