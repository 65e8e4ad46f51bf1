/// What options and arguments mean, and what is wrong with a value given for one.
package enum OptionHelp {
    package static let globalTitle = "Global options"
    package static let json = "Print JSON, for other programs."
    package static let home = "Folder with all of peersync's data (or PEERSYNC_HOME)."
    package static let yes = "Answer yes to every question."

    package static let deviceName = "Name of this device; by default the name of the computer."
    package static let personName = "Your name, as friends will see it."
    package static let recoveryFile = "Write the recovery key to a new file instead of showing it."
    package static let recoveryKey = "Recovery key"
    package static let notLostDevice = "A device that the old key called lost, and not you."
    package static let newKeyFile =
        "Write the new recovery key to a new file instead of showing it."
    package static let keyFile = "File with your recovery key; by default asked for."
    package static let keepDevice = "A device that was paired on the lost one and is in your hands."
    package static let lostSince =
        "What it wrote from this day or time on counts no more; by default what is here counts."
    package static let undoCommit = "The change with this id, as 'peersync history' shows it."
    package static let undoDevice = "All that this device wrote, with --since."
    package static let undoDeletions = "All that was deleted, with --since."
    package static let historySince = "From this day, time or named moment on."
    package static let historyTrip = "What happened in this trip or space."
    package static let historyDevice = "What this device wrote."
    package static let historyPerson = "What this person wrote."
    package static let markName = "What the moment is called."
    package static let undoSince = "What came to this device from this day or time on."
    package static let undoUntil = "Only what came before this day or time."
    package static let undoSpace = "Only in this trip or space."
    package static let undoOver = "Also what somebody changed since."
    package static let undoPreview = "Only say what would change."
    package static let backupFolder = "Folder of backups; by default that of the last one."
    package static let keepBackups = "Keep the latest of so many days, weeks, months and years."
    package static let withoutKeys = "Leave out the keys of this device."
    package static let fullBackup = "Read again what is there, and write again what is damaged."
    package static let oneBackup = "The backup of this name alone."
    package static let deviceKeyFile = "The device.key of a backup that was made without it."
    package static let port = "TCP port to listen on; if it is in use, the next free one."
    package static let log = "Log level: verbose, debug, info, warning or error."
    package static let logFormat = "Log format: text (for people and the journal) or json."
    package static let followLogs = "Keep showing new lines until Ctrl-C."
    package static let logLines = "Show at most this many, the latest."
    package static let badLines = "The number of lines cannot be negative."
    package static let logsLevel = "Only this level and above: debug, info, warning or error."
    package static let logsSince = "Only from this day or time on."
    package static let repair = "Repair what can be repaired safely."
    package static let report = "Also write a bug report without names to a new file."
    package static let link = "Show a link with address and secret instead of a code."
    package static let code = "The code or link that the other device shows; if missing, asked for."
    package static let mine = "Make this computer another device of yours."
    package static let at = "Address of the other device, if it is not found automatically."
    package static let watch = "Keep showing it, with what moves, until Ctrl-C."
    package static let lastSyncs = "List the last syncs with what they moved, and do nothing else."
    package static let onOff = "on or off; by default, sync now."

    package static let redateFrom = "Changes from this day or time on, by the device's clock."
    package static let redateTo = "Changes up to this day or time, by the device's clock."
    package static let earlier = "Date them so much earlier than its clock said, like 3d or 1h30m."
    package static let later = "Date them so much later than its clock said."
    package static let undoRedate = "Date them again as its clock said."
    package static let listDeleted = "Only deleted ones, with who deleted them."
    package static let logSpace = "A trip or space; by default everything."
    package static let logSince =
        "From this day or time on, or all; by default since you last looked."
    package static let logLimit = "Show at most this many, the newest; 50 by default."
    package static let archiveTo = "A folder, in which it gets its name, or a new name."
    package static let encryptedTo = "Encrypt it to a recipient of age (age1…); may be repeated."
    package static let incomplete = "Also without the files that are not on this device."
    package static let archive = "The archive: its folder, or the encrypted file."
    package static let identity = "File with the age key of an encrypted archive."
    package static let importAgain = "Also when the same is here already."
    package static let trip = SpaceNoun.trip.argument
    package static let space = SpaceNoun.space.argument
    package static let tripToRecover = "A trip; by default all trips and your own lists."
    package static let undoRecovery = "Take back what was brought back last on this device."
    package static let orphanDevice = "Only what this device wrote, also what was dismissed."
    package static let conflictSpace = "Name of a trip or space, or the first letters of its id."
    package static let conflict = "The first letters of the conflict's id."
    package static let takenValue = "Choose the value with this number."
    package static let decidedValue = "Write this value."
    package static let merge = "Keep the merged value."
    package static let tripName = "Name of the new trip."
    package static let encrypted =
        "Encrypt it from the start: nobody but its members can read it."
    package static let vaultTrip = "The trip or space that it carries."
    package static let vaultAll = "Every encrypted trip and space that you are admin of."
    package static let fromNow =
        "Of an encrypted trip they read only what is written from now on."
    package static let tripKeyFile = "A new file for the keys, which only you can read."
    package static let newName = "The new name."
    package static let tripScope = "A trip; by default your own list."
    package static let person = "Name of a person, or the first letters of their id."
    package static let role =
        "viewer, contributor, editor or admin; by default what they have, or contributor."
    package static let rights =
        "In place of a role: read, write, delete, admin; with commas between."
    package static let withInvited =
        "Take it also from everybody whom they let in, and from whom those let in."
    package static let believeUntil =
        "What they wrote after this day or time counts for nothing; by default all that is here counts."
    package static let personOrDevice =
        "Name of a person or of a device, or the first letters of an id."
    package static let right = "read, write, delete or admin."
    package static let withdraw = "Ask for nothing any more."
    package static let refuse = "Refuse what this person asks for."
    package static let authority =
        "What they write takes precedence over what others write, even if newer."
    package static let device = "Name of a device, or the first letters of its id."
    package static let address = "HOST or HOST:PORT."
    package static let memory = "Title of a memory, or the first letters of its id."
    package static let deletedMemory =
        "Title of a deleted memory, or the first letters of its id."
    package static let media = "A file name, or the first letters of an id."
    package static let to = "Folder or new file; the current folder by default."
    package static let tagName = "Name of the tag."
    package static let category = "Category of the tag; created if it is new."
    package static let tag = "Name of a tag, or the first letters of its id."
    package static let newCategory = "Its category, created if it is new; \"\" for none."
    package static let mergeTag = "The tag that memories get in its place."
    package static let placeScope = "Only in this trip; by default wherever it is."
    package static let mergeBucket = "The item that memories get in its place."
    package static let notDone = "It is not done after all."
    package static let caption = "What the photo shows; \"\" for nothing."
    package static let firstPhoto = "Put it before the other photos of its memory."
    package static let beforePhoto = "Put it right before this photo of its memory."
    package static let afterPhoto = "Put it right after this photo of its memory."
    package static let deletedThing =
        "Name of what was deleted, or the first letters of its id."
    package static let binSpace = "Only what was deleted in this trip or space."
    package static let binAll = "Also what was deleted longer ago."
    package static let bucketTitle = "What you want to do."
    package static let bucketItem = "An item of the bucket list, or the first letters of its id."

    package static let title = "Title."
    package static let text = "Text."
    package static let time =
        "When: \"2008-10-22 16:28\", \"today 14:30\", or with zone 2008-10-22T16:28+02:00."
    package static let position = "Where, in degrees: 43.46,11.88 (south and west are negative)."
    package static let accuracy = "Accuracy of the position in metres."
    package static let place = "Name of the place."
    package static let weather = "The weather."
    package static let tags = "A tag; repeat it for more."
    package static let removeTags = "A tag to remove; repeat it for more."
    package static let photos = "Photos or other files, in order."
    package static let again = "Add files although a memory of the trip has them already."
    package static let removePhotos = "A photo to remove, by file name or id; repeat it for more."
    package static let track = "A GPX file."
    package static let clear = "Clear a field: at, position, place, weather, bucket or track."

    package static let filterTag = "Only memories with this tag."
    package static let since = "Only from this day or time on."
    package static let until = "Only until this day, or before this time."
    package static let near =
        "Only near a position: LAT,LON or LAT,LON,DISTANCE (1km by default)."
    package static let searchWords = "Beginnings of words; all of them must be there."
    package static let searchSpace = "Only in this trip or space; `home` for your own lists."
    package static let searchKind = "Only this kind: memory, media, tag, track, or of your schema."
    package static let searchTag = "Only what has this tag."
    package static let searchSince = "Only what is dated, or was changed, from this time on."
    package static let searchLimit = "How many to show (20 by default)."
    package static let filterText = "Only memories with this in title, text, place or weather."

    package static let badTime =
        "Write a time like \"2008-10-22 16:28\", \"today 14:30\" or 2008-10-22T16:28+02:00."
    package static let noSuchDate = "There is no such day or time."
    package static let badPosition =
        "Write latitude and longitude in degrees, like 43.46,11.88 or -33.9,151.2."
    package static let latitudeRange = "The latitude must lie between -90 and 90."
    package static let longitudeRange = "The longitude must lie between -180 and 180."
    package static let badNear =
        "Write a position and a distance, like 43.46,11.88,5km or 43.46,11.88,300m."
    package static let badAccuracy = "Write a number of metres greater than 0."
    package static let accuracyWithoutPosition = "--accuracy needs --position."
    package static let unknownField =
        "The fields are at, position, place, weather, bucket and track."

    /// What to do about wrong usage; `command` as in `peersync trip grant`.
    /// `similar` are words that may have been meant behind the command.
    package static func seeHelp(_ command: String, similar: [String] = []) -> String {
        guard similar.isEmpty else {
            let meant = similar.map { "\(command) \($0)" }.joined(separator: ", or ")
            return "Did you mean: \(meant)"
        }
        return "For help and an example, run: \(command) --help"
    }

    package static let short = "One line: the sign and what it stands for."
    package static let deletedMemories = "The deleted ones instead, which you can restore."
}
