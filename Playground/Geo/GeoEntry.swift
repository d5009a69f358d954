import Aggregate
import RASPInsight
import RASPJournal

extension CommandOption {
  static let realtime = CommandOption(
    name: "--realtime",
    help: "Replay at the pace of the times of day in the sentences."
  )

  static let si = CommandOption(
    name: "--si",
    help: "Show metres a second and decimal degrees, not knots and minutes. JSON has them always."
  )
}

extension Scenario {
  static let geo = Scenario(
    name: "geo",
    parameters: "FILE",
    options: [.realtime, .si, .seconds, .json, .record, .why, .journal],
    help: """
      NMEA 0183 sentences from a file, a serial device, or standard input (-), folded into one
      navigation state. A file is replayed as fast as it can be read; anything else is followed
      until it ends. Set up a serial device first, as in: stty -F /dev/ttyUSB0 4800 raw -echo
      On a terminal ? shows the keys; with - there are none, and ^C ends the run.
      """,
    jsonHelp: """
      heading   value (degrees), reference (true or magnetic)
      location  latitude, longitude (degrees, north and east positive)
      fix       quality (autonomous, differential, precise, fixed, float, estimated, manual),
                satellites
      speed     value (metres per second, over ground)
      course    value (degrees from true north, over ground)
      depth     value (metres, below the transducer)
      wind      angle (degrees clockwise from the bow), speed (metres per second),
                reference (relative: as felt on board, or true: as it would be felt at rest)
      """,
    notes: (
      "NAVIGATION",
      """
      heading   HDT, HDG, VHW, HDM. A true heading goes before a magnetic one, then the instruments in this
                order. A magnetic heading becomes a true one by the variation in HDG or RMC.
      location  RMC, GGA, GLL; speed and course: RMC, VTG. The newest counts.
      fix       GGA, how good the location is.
      depth     DPT before DBT, as measured; the offset in DPT is left out.
      wind      MWV, the relative wind before the true one.
      A lesser instrument is heard only when the better one has been silent for 10 seconds; after as long
      without any, a value is stale. A replayed file brings its own time, from RMC, GGA, GLL and ZDA, so
      that its result does not depend on the speed of this machine; otherwise the clock on the wall counts.
      An empty field leaves a value as it is.

      A talker has no fix while its last RMC, GGA, GLL or VTG says that there is none, or that it is simulated.
      What the talker has said of location, fix, speed and course is forgotten then, and nothing more counts.

      A $ begins a sentence, wherever it stands in a line. In the summary, sentences are what begins with $ or
      !; rejected are those of them with a wrong or missing checksum, a bad shape or more than 1024 characters;
      unknown are those in order, of a kind not read here; empty are those in order, without a value; noise is
      all the rest but # comments: lines and parts of lines, and in noiseBytes their bytes.
      """
    ),
    recordingReader: { path throws(JournalError) in try Recording<NavigationState>(contentsOf: path).timeline },
    journalPrinter: Playground.journalPrinter(startingWith: NavigationState())
  ) { arguments throws(RunFailure) in
    guard let path = arguments.next(), !path.isEmpty else {
      throw .usage("geo needs a file, a serial device, or - for standard input")
    }
    return GeoScenario(
      path: path,
      realTime: arguments[.realtime] != nil,
      options: try Options(arguments, explaining: FieldChange.navigationFields),
      units: arguments[.si] != nil ? .si : .nautical
    )
  }
}
