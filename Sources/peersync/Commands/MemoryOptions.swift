package import ArgumentParser
package import LocalAPI

/// The fields of a memory, as options of `memory add` and `memory edit`.
package struct MemoryOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .tr("Title.", valueName: "text"))
    package internal(set) var title: String?

    @Option(parsing: .unconditional, help: .tr("Text.", valueName: "text"))
    var text: String?

    @Option(
        parsing: .unconditional,
        help: .tr(
            "When: \"2008-10-22 16:28\", \"today 14:30\", or with zone 2008-10-22T16:28+02:00.",
            valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var at: Moment?

    @Option(
        parsing: .unconditional,
        help: .tr(
            "Where, in degrees: 43.46,11.88 (south and west are negative).", valueName: "lat,lon"),
        transform: { typed in try TypedInput.argument { try PositionInput(typed) } })
    package internal(set) var position: PositionInput?

    @Option(
        parsing: .unconditional,
        help: .tr("Accuracy of the position in metres.", valueName: "metres"),
        transform: TypedInput.metres)
    var accuracy: Double?

    @Option(parsing: .unconditional, help: .tr("Name of the place.", valueName: "name"))
    var place: String?

    @Option(parsing: .unconditional, help: .tr("The weather.", valueName: "text"))
    var weather: String?

    @Option(
        help: ArgumentHelp(OptionHelp.bucketItem, valueName: "item"),
        completion: .names(of: .bucketItem)) var bucket: String?

    @Option(help: .tr("A GPX file.", valueName: "file.gpx"), completion: .file())
    var track: String?

    @Flag(help: .tr("Add files although a memory of the trip has them already."))
    package internal(set) var again = false

    package init() {}

    package func validate() throws {
        if let accuracy, !(accuracy > 0 && accuracy.isFinite) {
            throw ValidationError(tr("Write a number of metres greater than 0."))
        }
        if accuracy != nil && position == nil {
            throw ValidationError(tr("--accuracy needs --position."))
        }
    }

    /// The position with its accuracy.
    func completePosition() -> Position? {
        position.map {
            Position(latitude: $0.latitude, longitude: $0.longitude, radius: accuracy)
        }
    }

    /// On a terminal, asks before it adds files that the trip already has.
    func add(
        in context: CommandContext, _ body: (_ again: Bool) async throws -> MemoryView
    ) async throws -> MemoryView {
        do {
            return try await body(again)
        } catch is CancellationError {
            throw APIError(code: .failed, sentence: "Stopped; nothing was added.")
        } catch let error as APIError where error.code == .confirmationNeeded {
            guard context.prompt.answersYes || context.prompt.terminal.canAsk else { throw error }
            try await context.prompt.insist(
                error.sentence + "\n" + tr("Add them again all the same?"))
            return try await body(true)
        }
    }

    /// The text; `-` reads it from standard input.
    func completeText() async throws -> String? {
        text == "-" ? try await StandardInput.shared.all() : text
    }
}
