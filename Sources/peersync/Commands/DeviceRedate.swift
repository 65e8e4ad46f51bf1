internal import ArgumentParser
internal import LocalAPI

/// Gives changes of a device new dates, after listing them.
struct DeviceRedate: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "redate", "Correct the dates of the changes of a device whose clock was wrong.",
        examples: [
            tr("peersync device redate phone"),
            tr("peersync device redate phone --from \"2026-07-01\" --to \"2026-07-03\" --later 1h"),
            tr("peersync device redate phone --undo"),
        ],
        remarks: """
            What was changed on several devices at once is decided by time, so changes dated in the \
            future win until that time has come. Without options this command finds those of the \
            device, also of this one, in all trips, and dates all of them earlier by the same \
            time: the most that its clock is known to have been ahead. If the clock was not \
            always off by as much, choose changes with --from and --to, and say how far with \
            --earlier. It says what would change, and asks. The person who made the changes may \
            do this, and every admin of the trip. All devices then show the same; --undo takes \
            it back. Times are those of the device's own clock.
            """)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(
        help: .tr("Changes from this day or time on, by the device's clock.", valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var from: Moment?

    @Option(
        help: .tr("Changes up to this day or time, by the device's clock.", valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var to: Moment?

    @Option(
        help: .tr(
            "Date them so much earlier than its clock said, like 3d or 1h30m.",
            valueName: "duration"),
        transform: { typed in try TypedInput.argument { try DurationInput.milliseconds(typed) } })
    var earlier: Int64?

    @Option(
        help: .tr("Date them so much later than its clock said.", valueName: "duration"),
        transform: { typed in try TypedInput.argument { try DurationInput.milliseconds(typed) } })
    var later: Int64?

    @Flag(help: .tr("Date them again as its clock said."))
    var undo = false

    func run(in context: CommandContext) async throws {
        if earlier != nil, later != nil {
            throw APIError(code: .badInput, sentence: "It cannot be both earlier and later.")
        }
        let view = try await context.withService { service in
            let preview = try await service.call(
                \.devices.redate, id: device, draft(earlier.map { -$0 } ?? later, preview: true))
            try await context.prompt.insist(
                RedateText.question(
                    preview, lines: RedateTable.rendered(preview)))
            // By the amount that was shown: the clock has moved on meanwhile.
            return try await service.call(
                \.devices.redate, id: preview.device.id,
                draft(preview.offsetMilliseconds, preview: false))
        }
        try context.output.result(view, describe: RedateText.done)
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
            let name = trip.trip.map { Sentence.name($0.name) } ?? tr("your own lists")
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
