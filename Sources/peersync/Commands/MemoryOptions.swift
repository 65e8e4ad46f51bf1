package import ArgumentParser
package import LocalAPI

/// The fields of a memory, as `memory add` and `memory edit` take them.
package struct MemoryOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.title, valueName: "text"))
    package internal(set) var title: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.text, valueName: "text"))
    var text: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.time, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().moment(typed) } })
    var at: Moment?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.position, valueName: "lat,lon"),
        transform: { typed in try TypedInput.argument { try PositionInput(typed) } })
    package internal(set) var position: PositionInput?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.accuracy, valueName: "metres"))
    var accuracy: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.place, valueName: "name"))
    var place: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.weather, valueName: "text"))
    var weather: String?

    @Option(
        help: ArgumentHelp(OptionHelp.bucketItem, valueName: "item"),
        completion: .names(of: .bucketItem)) var bucket: String?

    @Option(help: ArgumentHelp(OptionHelp.track, valueName: "file.gpx"), completion: .file())
    var track: String?

    @Flag(help: ArgumentHelp(OptionHelp.again)) package internal(set) var again = false

    package init() {}

    package func validate() throws {
        if let accuracy, !(accuracy > 0 && accuracy.isFinite) {
            throw ValidationError(OptionHelp.badAccuracy)
        }
        if accuracy != nil && position == nil {
            throw ValidationError(OptionHelp.accuracyWithoutPosition)
        }
    }

    /// The position with its accuracy.
    func completePosition() -> Position? {
        position.map {
            Position(latitude: $0.latitude, longitude: $0.longitude, radius: accuracy)
        }
    }

    /// Asks, where somebody can answer, before files are added that the trip has already.
    func add(
        in context: CommandContext, _ body: (_ again: Bool) async throws -> MemoryView
    ) async throws -> MemoryView {
        do {
            return try await body(again)
        } catch is CancellationError {
            throw Sentence.Memory.stopped
        } catch let error as APIError where error.code == .confirmationNeeded {
            guard context.prompt.answersYes || context.prompt.terminal.canAsk else { throw error }
            try await context.prompt.insist(error.sentence + "\n" + Sentence.Memory.askAgain)
            return try await body(true)
        }
    }

    /// The text; `-` takes it from standard input.
    func completeText() async throws -> String? {
        text == "-" ? try await StandardInput.shared.all() : text
    }
}
