internal import ArgumentParser
internal import LocalAPI

struct MemoryEdit: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "edit", "Change a memory.",
        examples: [
            tr("peersync memory edit Duomo --title \"Duomo di Arezzo\" --add-tag art"),
            tr("peersync memory edit Duomo --add-photo tower.jpg --clear weather"),
        ], remarks: "Fields that you do not name stay unchanged.")

    @Argument(
        help: ArgumentHelp(OptionHelp.memory, valueName: "memory"), completion: .names(of: .memory))
    var memory: String

    @OptionGroup var fields: MemoryOptions

    @Option(
        name: [.customLong("add-tag"), .customLong("tag")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(OptionHelp.tags, valueName: "tag"), completion: .names(of: .tag))
    var addTag: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: .tr("A tag to remove; repeat it for more.", valueName: "tag"),
        completion: .names(of: .tag))
    var removeTag: [String] = []

    @Option(
        name: [.customLong("add-photo"), .customLong("photo")], parsing: .upToNextOption,
        help: ArgumentHelp(OptionHelp.photos, valueName: "file"), completion: .file()) var addPhoto:
        [String] = []

    @Option(
        help: .tr("A photo to remove, by file name or id; repeat it for more.", valueName: "photo"))
    var removePhoto: [String] = []

    @Option(
        help: .tr(
            "Clear a field: at, position, place, weather, bucket or track.", valueName: "field"),
        transform: { try ClearField(field: $0) })
    var clear: [ClearField] = []

    /// A field by the name of its option.
    struct ClearField {
        let field: MemoryChanges.ClearableField

        init(field name: String) throws {
            switch name {
            case "at": field = .at
            case "position": field = .position
            case "place": field = .locationName
            case "weather": field = .weather
            case "bucket": field = .bucketItem
            case "track": field = .track
            default:
                throw ValidationError(
                    tr("The fields are at, position, place, weather, bucket and track."))
            }
        }
    }

    func run(in context: CommandContext) async throws {
        let changes = try await changes()
        guard changes != MemoryChanges() else { throw APIError.nothingToChange }
        let changed = try await fields.add(in: context) { again in
            var changes = changes
            changes.again = again
            return try await context.call(\.memories.edit, id: memory, changes)
        }
        try context.output.result(
            changed, describe: { tr("Changed \(Sentence.Memory.name($0)) (\($0.shortID)).") })
        // What is known of the others was said when they were added.
        if !addPhoto.isEmpty { changed.notices.forEach(context.output.remark) }
    }

    private func changes() async throws -> MemoryChanges {
        var changes = MemoryChanges()
        changes.title = fields.title
        changes.text = try await fields.completeText()
        changes.at = fields.at
        changes.position = fields.completePosition()
        changes.locationName = fields.place
        changes.weather = fields.weather
        changes.bucketItem = fields.bucket
        changes.addTags = addTag
        changes.removeTags = removeTag
        changes.addPhotoPaths = try addPhoto.map(InputPath.existingFile)
        changes.removeMedia = removePhoto
        changes.trackPath = try fields.track.map(InputPath.existingFile)
        changes.clear = clear.map(\.field)
        return changes
    }
}
