internal import ArgumentParser
internal import LocalAPI

/// Dates changes of a device anew, after saying which.
struct DeviceRedate: PeersyncCommand {
    static let configuration = CommandConfiguration("redate", .deviceRedate)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(
        help: ArgumentHelp(OptionHelp.redateFrom, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var from: Moment?

    @Option(
        help: ArgumentHelp(OptionHelp.redateTo, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var to: Moment?

    @Option(
        help: ArgumentHelp(OptionHelp.earlier, valueName: "duration"),
        transform: { typed in try TypedInput.argument { try DurationInput.milliseconds(typed) } })
    var earlier: Int64?

    @Option(
        help: ArgumentHelp(OptionHelp.later, valueName: "duration"),
        transform: { typed in try TypedInput.argument { try DurationInput.milliseconds(typed) } })
    var later: Int64?

    @Flag(help: ArgumentHelp(OptionHelp.undoRedate)) var undo = false

    func run(in context: CommandContext) async throws {
        if earlier != nil, later != nil { throw APIError.bothWays }
        let view = try await context.withService { service in
            let preview = try await service.call(
                \.devices.redate, id: device, draft(earlier.map { -$0 } ?? later, preview: true))
            try await context.prompt.insist(
                Sentence.Redate.question(
                    preview, lines: RedateTable.rendered(preview)))
            // By the amount that was shown: the clock went on meanwhile.
            return try await service.call(
                \.devices.redate, id: preview.device.id,
                draft(preview.offsetMilliseconds, preview: false))
        }
        try context.output.result(view, describe: Sentence.Redate.done)
    }

    private func draft(_ offset: Int64?, preview: Bool) -> RedateDraft {
        RedateDraft(
            from: from, to: to, offsetMilliseconds: offset, undo: undo ? true : nil,
            preview: preview)
    }
}

/// One line for each trip, with the times before and after.
enum RedateTable {
    static func rendered(_ view: RedateView) -> String {
        view.trips.map { trip in
            let name = trip.trip.map { Sentence.name($0.name) } ?? Sentence.Redate.ownLists
            let changes = Sentence.count(trip.changes, "change", "changes")
            let before = span(trip.first, trip.last)
            let after = span(trip.newFirst, trip.newLast)
            return "  \(name), \(changes): \(before) \u{2192} \(after)"
        }.joined(separator: "\n")
    }

    private static func span(_ first: Moment, _ last: Moment) -> String {
        let (start, end) = (Formatting.time(first), Formatting.time(last))
        return start == end ? start : tr("\(start) to \(end)")
    }
}
