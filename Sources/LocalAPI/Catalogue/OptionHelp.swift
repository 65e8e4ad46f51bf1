/// What options and arguments mean, and what is wrong with a value given for one.
package enum OptionHelp {
    package static var globalTitle: String { tr("Global options") }
    package static var json: String { tr("Print JSON, for other programs.") }
    package static var home: String { tr("Folder with all of peersync's data (or PEERSYNC_HOME).") }
    package static var language: String { tr("Language of what is said (or LC_ALL, LANG).") }
    package static var yes: String { tr("Answer yes to every question.") }

    package static var deviceName: String {
        tr("Name of this device; by default the name of the computer.")
    }
    package static var personName: String { tr("Your name, as friends will see it.") }
    package static var recoveryFile: String {
        tr("Write the recovery key to a new file instead of showing it.")
    }
    package static var recoveryKey: String { tr("Recovery key") }
    package static var notLostDevice: String {
        tr("A device that the old key called lost, and not you.")
    }
    package static var newKeyFile: String {
        tr("Write the new recovery key to a new file instead of showing it.")
    }
    package static var keyFile: String {
        tr("File with your recovery key; by default asked for, or read from standard input.")
    }
    package static var keepDevice: String {
        tr("A device that was paired on the lost one and is in your hands.")
    }
    package static var lostSince: String {
        tr("What it wrote from this day or time on counts no more; by default what is here counts.")
    }
    package static var undoCommit: String {
        tr("The change with this id, as 'peersync history' shows it.")
    }
    package static var undoDevice: String { tr("All that this device wrote, with --since.") }
    package static var undoDeletions: String { tr("All that was deleted, with --since.") }
    package static var historySince: String { tr("From this day, time or named moment on.") }
    package static var historyTrip: String { tr("What happened in this trip or space.") }
    package static var historyDevice: String { tr("What this device wrote.") }
    package static var historyPerson: String { tr("What this person wrote.") }
    package static var markName: String { tr("What the moment is called.") }
    package static var undoSince: String {
        tr("What came to this device from this day or time on.")
    }
    package static var undoUntil: String { tr("Only what came before this day or time.") }
    package static var undoSpace: String { tr("Only in this trip or space.") }
    package static var undoOver: String { tr("Also what somebody changed since.") }
    package static var undoPreview: String { tr("Only say what would change.") }
    package static var backupFolder: String {
        tr("Folder of backups; by default that of the last one.")
    }
    package static var keepBackups: String {
        tr("Keep the latest of so many days, weeks, months and years.")
    }
    package static var withoutKeys: String { tr("Leave out the keys of this device.") }
    package static var fullBackup: String {
        tr("Read again what is there, and write again what is damaged.")
    }
    package static var oneBackup: String { tr("The backup of this name alone.") }
    package static var deviceKeyFile: String {
        tr("The device.key of a backup that was made without it.")
    }
    package static var port: String {
        tr("TCP port to listen on; if it is in use, the next free one.")
    }
    package static var log: String { tr("Log level: verbose, debug, info, warning or error.") }
    package static var logFormat: String {
        tr("Log format: text (for people and the journal) or json.")
    }
    package static var followLogs: String { tr("Keep showing new lines until Ctrl-C.") }
    package static var logLines: String { tr("Show at most this many, the latest.") }
    package static var badLines: String { tr("The number of lines cannot be negative.") }
    package static var logsLevel: String {
        tr("Only this level and above: debug, info, warning or error.")
    }
    package static var logsSince: String { tr("Only from this day or time on.") }
    package static var repair: String { tr("Repair what can be repaired safely.") }
    package static var report: String { tr("Also write a bug report without names to a new file.") }
    package static var link: String { tr("Show a link with address and secret instead of a code.") }
    package static var code: String {
        tr("The code or link that the other device shows; if missing, asked for.")
    }
    package static var mine: String { tr("Make this computer another device of yours.") }
    package static var at: String {
        tr("Address of the other device, if it is not found automatically.")
    }
    package static var watch: String { tr("Keep showing it, with what moves, until Ctrl-C.") }
    package static var lastSyncs: String {
        tr("List the last syncs with what they moved, and do nothing else.")
    }
    package static var onOff: String { tr("on or off; by default, sync now.") }

    package static var redateFrom: String {
        tr("Changes from this day or time on, by the device's clock.")
    }
    package static var redateTo: String {
        tr("Changes up to this day or time, by the device's clock.")
    }
    package static var earlier: String {
        tr("Date them so much earlier than its clock said, like 3d or 1h30m.")
    }
    package static var later: String { tr("Date them so much later than its clock said.") }
    package static var undoRedate: String { tr("Date them again as its clock said.") }
    package static var listDeleted: String { tr("Only deleted ones, with who deleted them.") }
    package static var logSpace: String { tr("A trip or space; by default everything.") }
    package static var logSince: String {
        tr("From this day or time on, or all; by default since you last looked.")
    }
    package static var logLimit: String { tr("Show at most this many, the newest; 50 by default.") }
    package static var archiveTo: String {
        tr("A folder, in which it gets its name, or a new name.")
    }
    package static var encryptedTo: String {
        tr("Encrypt it to a recipient of age (age1…); may be repeated.")
    }
    package static var incomplete: String {
        tr("Also without the files that are not on this device.")
    }
    package static var archive: String { tr("The archive: its folder, or the encrypted file.") }
    package static var identity: String { tr("File with the age key of an encrypted archive.") }
    package static var importAgain: String { tr("Also when the same is here already.") }
    package static let trip = SpaceNoun.trip.argument
    package static let space = SpaceNoun.space.argument
    package static var tripToRecover: String {
        tr("A trip; by default all trips and your own lists.")
    }
    package static var undoRecovery: String {
        tr("Take back what was brought back last on this device.")
    }
    package static var orphanDevice: String {
        tr("Only what this device wrote, also what was dismissed.")
    }
    package static var conflictSpace: String {
        tr("Name of a trip or space, or the first letters of its id.")
    }
    package static var conflict: String { tr("The first letters of the conflict's id.") }
    package static var takenValue: String { tr("Choose the value with this number.") }
    package static var decidedValue: String { tr("Write this value.") }
    package static var merge: String { tr("Keep the merged value.") }
    package static var tripName: String { tr("Name of the new trip.") }
    package static var encrypted: String {
        tr("Encrypt it from the start: nobody but its members can read it.")
    }
    package static var vaultTrip: String { tr("The trip or space that it carries.") }
    package static var vaultAll: String {
        tr("Every encrypted trip and space that you are admin of.")
    }
    package static var fromNow: String {
        tr("Of an encrypted trip they read only what is written from now on.")
    }
    package static var tripKeyFile: String {
        tr("A new file for the keys, which only you can read.")
    }
    package static var newName: String { tr("The new name.") }
    package static var tripScope: String { tr("A trip; by default your own list.") }
    package static var person: String { tr("Name of a person, or the first letters of their id.") }
    package static var role: String {
        tr("viewer, contributor, editor or admin; by default what they have, or contributor.")
    }
    package static var rights: String {
        tr("In place of a role: read, write, delete, admin; with commas between.")
    }
    package static var withInvited: String {
        tr("Take it also from everybody whom they let in, and from whom those let in.")
    }
    package static var believeUntil: String {
        tr(
            "What they wrote after this day or time counts for nothing; by default all that is here counts."
        )
    }
    package static var personOrDevice: String {
        tr("Name of a person or of a device, or the first letters of an id.")
    }
    package static var right: String { tr("read, write, delete or admin.") }
    package static var withdraw: String { tr("Ask for nothing any more.") }
    package static var refuse: String { tr("Refuse what this person asks for.") }
    package static var authority: String {
        tr("What they write takes precedence over what others write, even if newer.")
    }
    package static var device: String { tr("Name of a device, or the first letters of its id.") }
    package static var address: String { tr("HOST or HOST:PORT.") }
    package static var memory: String { tr("Title of a memory, or the first letters of its id.") }
    package static var deletedMemory: String {
        tr("Title of a deleted memory, or the first letters of its id.")
    }
    package static var media: String { tr("A file name, or the first letters of an id.") }
    package static var to: String { tr("Folder or new file; the current folder by default.") }
    package static var tagName: String { tr("Name of the tag.") }
    package static var category: String { tr("Category of the tag; created if it is new.") }
    package static var tag: String { tr("Name of a tag, or the first letters of its id.") }
    package static var newCategory: String {
        tr("Its category, created if it is new; \"\" for none.")
    }
    package static var mergeTag: String { tr("The tag that memories get in its place.") }
    package static var placeScope: String { tr("Only in this trip; by default wherever it is.") }
    package static var mergeBucket: String { tr("The item that memories get in its place.") }
    package static var notDone: String { tr("It is not done after all.") }
    package static var caption: String { tr("What the photo shows; \"\" for nothing.") }
    package static var firstPhoto: String { tr("Put it before the other photos of its memory.") }
    package static var beforePhoto: String { tr("Put it right before this photo of its memory.") }
    package static var afterPhoto: String { tr("Put it right after this photo of its memory.") }
    package static var deletedThing: String {
        tr("Name of what was deleted, or the first letters of its id.")
    }
    package static var binSpace: String { tr("Only what was deleted in this trip or space.") }
    package static var binAll: String { tr("Also what was deleted longer ago.") }
    package static var bucketTitle: String { tr("What you want to do.") }
    package static var bucketItem: String {
        tr("An item of the bucket list, or the first letters of its id.")
    }

    package static var title: String { tr("Title.") }
    package static var text: String { tr("Text.") }
    package static var time: String {
        tr("When: \"2008-10-22 16:28\", \"today 14:30\", or with zone 2008-10-22T16:28+02:00.")
    }
    package static var position: String {
        tr("Where, in degrees: 43.46,11.88 (south and west are negative).")
    }
    package static var accuracy: String { tr("Accuracy of the position in metres.") }
    package static var place: String { tr("Name of the place.") }
    package static var weather: String { tr("The weather.") }
    package static var tags: String { tr("A tag; repeat it for more.") }
    package static var removeTags: String { tr("A tag to remove; repeat it for more.") }
    package static var photos: String { tr("Photos or other files, in order.") }
    package static var again: String {
        tr("Add files although a memory of the trip has them already.")
    }
    package static var removePhotos: String {
        tr("A photo to remove, by file name or id; repeat it for more.")
    }
    package static var track: String { tr("A GPX file.") }
    package static var clear: String {
        tr("Clear a field: at, position, place, weather, bucket or track.")
    }

    package static var filterTag: String { tr("Only memories with this tag.") }
    package static var since: String { tr("Only from this day or time on.") }
    package static var until: String { tr("Only until this day, or before this time.") }
    package static var near: String {
        tr("Only near a position: LAT,LON or LAT,LON,DISTANCE (1km by default).")
    }
    package static var searchWords: String { tr("Beginnings of words; all of them must be there.") }
    package static var searchSpace: String {
        tr("Only in this trip or space; `home` for your own lists.")
    }
    package static var searchKind: String {
        tr("Only this kind: memory, media, tag, track, or of your schema.")
    }
    package static var searchTag: String { tr("Only what has this tag.") }
    package static var searchSince: String {
        tr("Only what is dated, or was changed, from this time on.")
    }
    package static var searchLimit: String { tr("How many to show (20 by default).") }
    package static var filterText: String {
        tr("Only memories with this in title, text, place or weather.")
    }

    package static var badTime: String {
        tr("Write a time like \"2008-10-22 16:28\", \"today 14:30\" or 2008-10-22T16:28+02:00.")
    }
    package static var noSuchDate: String { tr("There is no such day or time.") }
    package static var badPosition: String {
        tr("Write latitude and longitude in degrees, like 43.46,11.88 or -33.9,151.2.")
    }
    package static var latitudeRange: String { tr("The latitude must lie between -90 and 90.") }
    package static var longitudeRange: String { tr("The longitude must lie between -180 and 180.") }
    package static var badNear: String {
        tr("Write a position and a distance, like 43.46,11.88,5km or 43.46,11.88,300m.")
    }
    package static var badAccuracy: String { tr("Write a number of metres greater than 0.") }
    package static var accuracyWithoutPosition: String { tr("--accuracy needs --position.") }
    package static var unknownField: String {
        tr("The fields are at, position, place, weather, bucket and track.")
    }

    /// What to do about wrong usage; `command` as in `peersync trip grant`.
    /// `similar` are words that may have been meant behind the command.
    package static func seeHelp(_ command: String, similar: [String] = []) -> String {
        guard similar.isEmpty else {
            let meant = similar.map { "\(command) \($0)" }.joined(separator: tr(", or "))
            return tr("Did you mean: \(meant)")
        }
        return tr("For help and an example, run: \(command) --help")
    }

    package static var short: String { tr("One line: the sign and what it stands for.") }
    package static var deletedMemories: String {
        tr("The deleted ones instead, which you can restore.")
    }
}
