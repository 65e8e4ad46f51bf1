import LocalAPI
import Testing

/// Messages of the argument library, in German.
struct ParserTextTests {
    private func german<Value>(_ body: () -> Value) -> Value {
        Language.$asked.withValue(.german, operation: body)
    }

    @Test("A help is German in headings and values, and its meanings stay in their column")
    func help() {
        // Given a help as the library writes it
        let english = """
            USAGE: peersync trip grant <trip> <person|device> [--role <role>] <subcommand>

            ARGUMENTS:
              <person|device>         Name.
              --name <a> <subcommand> Is as long as there is room.

            OPTIONS:
              --role <role>           A role. (values:
                                      viewer, admin)
              --near <lat,lon,distance>
                                      Near. (default: .)
              --on <on|off>           Stays.

            SUBCOMMANDS:
              make (default)          Make one.

              See 'peersync help <subcommand>' for detailed help.
            """
        // When it is shown in German
        let text = german { ParserText.help(english) }
        // Then
        #expect(
            text == """
                AUFRUF: peersync trip grant <Reise> <Person|Gerät> [--role <Rolle>] <Befehl>

                ARGUMENTE:
                  <Person|Gerät>          Name.
                  --name <a> <Befehl>     Is as long as there is room.

                OPTIONEN:
                  --role <Rolle>          A role. (Werte:
                                          viewer, admin)
                  --near <Breite,Länge,Entfernung>
                                          Near. (sonst: .)
                  --on <on|off>           Stays.

                BEFEHLE:
                  make (Standard)         Make one.

                  Hilfe zu einem Befehl: peersync help <Befehl>
                """)
        #expect(Language.$asked.withValue(.english) { ParserText.help(english) } == english)
    }

    @Test("A meaning moves to its own line where a German value leaves no room before it")
    func longValue() {
        let text = german { ParserText.help("  --a-long-optio <device> Meaning.") }
        #expect(text == "  --a-long-optio <Gerät>  Meaning.")
        let longer = german { ParserText.help("  --long-option <tag>     Meaning.") }
        let column = String(repeating: " ", count: 26)
        #expect(longer == "  --long-option <Schlagwort>\n\(column)Meaning.")
    }

    @Test("A wrong argument names its value in German, and what was typed as it was typed")
    func errors() {
        german {
            #expect(
                ParserText.sentence("Missing expected argument '<trip>'")
                    == "Es fehlt noch '<Reise>'")
            #expect(
                ParserText.sentence("The value '<trip>' is invalid for '--limit <number>'")
                    == "Der Wert '<trip>' passt nicht zu '--limit <Zahl>'")
        }
    }
}
