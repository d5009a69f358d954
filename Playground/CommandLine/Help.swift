enum Help {
  static let text = """
    Playground shows RASP at work on real input: events from many sources are merged, folded into one state,
    and read through selections that speak only when their field changes.

    USAGE
      swift run Playground [system] [--seconds N] [--json]
      swift run Playground geo FILE [--realtime] [--seconds N] [--json]
      swift run Playground ticker [--seconds N] [--json]
      swift run Playground commands [--seconds N] [--json]
      swift run Playground services [--seconds N]

    SCENARIOS
      system     This machine's own sensors, each read by a timer of its own: processor load, memory, load
                 average, network traffic, temperatures. A sensor this machine lacks is shown as unknown.
                 Ends after 10 seconds.
      geo FILE   NMEA 0183 sentences from a file, a serial device, or standard input (-), folded into one
                 navigation state. A file is replayed as fast as it can be read; anything else is followed
                 until it ends. Set up a serial device first, as in: stty -F /dev/ttyUSB0 4800 raw -echo
      ticker     A simulated market of 10,000 symbols, each a row with a state of its own, and the ranking of the
                 day. On a terminal letters filter, tab and space sort, ? helps, and it runs until you quit;
                 elsewhere it ends after 10 seconds.
      commands   A library whose books come from a slow store: commands are executed, handlers publish events,
                 middleware logs and retries, reactions show, a fact is posted, and the events are folded into
                 one state. Ends by itself in less than a second.
      services   A small cluster of services: who is there, what there is to read, a ticking stream of news,
                 and errors that become actions. Prints its tree and what each part does. Ends after 3
                 seconds.

    OPTIONS
      --seconds N  End after N seconds.
      --realtime   Replay at the pace of the times of day in the sentences.
      --json       Write one JSON object a line.
      --help, -h   Show this.
      ^C ends a run early; the summary is still written.

    OUTPUT
      On a terminal a dashboard with the recent past of each field, otherwise one line per field change; at the
      end a summary: events per source, snapshots of the state, changes per field.

      With --json a change is an object with the member "field" and these:
        geo     heading      value (degrees), reference (true or magnetic)
                location     latitude, longitude (degrees, north and east positive)
                speed        value (metres per second, over ground)
                course       value (degrees from true north, over ground)
                depth        value (metres, below the transducer)
                wind         angle (degrees clockwise from the bow), speed (metres per second),
                             reference (relative: as felt on board, or true: as it would be felt at rest)
        system  processor    value (percent of all processors)
                memory       used, total (bytes)
                load         one, five, fifteen (runnable processes, averaged over so many minutes)
                network      received, sent (bytes per second, the loopback interface left out)
                temperature  value (degrees Celsius, the hottest sensor), sensors (all of them)
        ticker  ranking      eventsPerSecond, rows (the first 16 by change: symbol, price, change in percent,
                             count of ticks); once a second
        commands    no changes: objects with the members "kind" (command, event, retry, reaction, state, error,
                    ended) and "text"
      What has gone stale is null. The last line is {"summary":{...}}, with the counts and the final state.

    NAVIGATION
      heading   HDT, HDG, VHW, HDM. A true heading goes before a magnetic one, then the instruments in this
                order. A magnetic heading becomes a true one by the variation in HDG or RMC.
      location  RMC, GGA, GLL; speed and course: RMC, VTG. The newest counts.
      depth     DPT before DBT, as measured; the offset in DPT is left out.
      wind      MWV, the relative wind before the true one.
      A lesser instrument is heard only when the better one has been silent for 10 seconds; after as long
      without any, a value is stale. A replayed file brings its own time, from RMC, GGA, GLL and ZDA, so
      that its result does not depend on the speed of this machine; otherwise the clock on the wall counts.
      An empty field, or a receiver without a fix, leaves a value as it is.

      In the summary, sentences are the lines that begin with $ or !; rejected are those of them with a wrong
      or missing checksum, a bad shape or more than 1024 characters; unknown are those in order, of a kind
      not read here; empty are those in order, without a value; noise are all other lines but # comments.

    EXIT STATUS
      0 success, 64 wrong usage, 66 unreadable input, 70 a mistake in this program,
      74 output that cannot be written.
    """
}
