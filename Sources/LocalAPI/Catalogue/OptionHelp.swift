/// Explanations of options and arguments, and mistakes in their values.
package enum OptionHelp {
    package static var globalTitle: String { tr("Global options") }

    package static var deviceName: String {
        tr("Name of this device; by default the name of the computer.")
    }
    package static var personName: String { tr("Your name, as friends will see it.") }
    package static var keyFile: String {
        tr("File with your recovery key; by default asked for, or read from standard input.")
    }
    package static var markName: String { tr("What the moment is called.") }
    package static var undoOver: String { tr("Also what somebody changed since.") }
    package static var undoPreview: String { tr("Only say what would change.") }
    package static var backupFolder: String {
        tr("Folder of backups; by default that of the last one.")
    }
    package static var oneBackup: String { tr("The backup of this name alone.") }

    package static var listDeleted: String { tr("Only deleted ones, with who deleted them.") }
    package static var logLimit: String { tr("Show at most this many, the newest; 50 by default.") }
    package static let trip = SpaceNoun.trip.argument
    package static let space = SpaceNoun.space.argument
    package static var tripToRecover: String {
        tr("A trip; by default all trips and your own lists.")
    }
    package static var encrypted: String {
        tr("Encrypt it from the start: nobody but its members can read it.")
    }
    package static var newName: String { tr("The new name.") }
    package static var believeUntil: String {
        tr(
            "What they wrote after this day or time counts for nothing; by default all that is here counts."
        )
    }
    package static var personOrDevice: String {
        tr("Name of a person or of a device, or the first letters of an id.")
    }
    package static var right: String { tr("read, write, delete or admin.") }
    package static var device: String { tr("Name of a device, or the first letters of its id.") }
    package static var memory: String { tr("Title of a memory, or the first letters of its id.") }
    package static var media: String { tr("A file name, or the first letters of an id.") }
    package static var to: String { tr("Folder or new file; the current folder by default.") }
    package static var bucketTitle: String { tr("What you want to do.") }
    package static var bucketItem: String {
        tr("An item of the bucket list, or the first letters of its id.")
    }

    package static var tags: String { tr("A tag; repeat it for more.") }
    package static var photos: String { tr("Photos or other files, in order.") }

    package static var near: String {
        tr("Only near a position: LAT,LON or LAT,LON,DISTANCE (1km by default).")
    }

    package static var badTime: String {
        tr("Write a time like \"2008-10-22 16:28\", \"today 14:30\" or 2008-10-22T16:28+02:00.")
    }
    package static var noSuchDate: String { tr("There is no such day or time.") }
    /// The clocks go forward over the typed time; these are as much before and after it.
    package static func skippedTime(_ earlier: String, _ later: String) -> String {
        tr("The clocks go forward and skip that time: take \(earlier) or \(later).")
    }
    package static var badPosition: String {
        tr("Write latitude and longitude in degrees, like 43.46,11.88 or -33.9,151.2.")
    }
    package static var latitudeRange: String { tr("The latitude must lie between -90 and 90.") }
    package static var badNear: String {
        tr("Write a position and a distance, like 43.46,11.88,5km or 43.46,11.88,300m.")
    }

    /// The hint for wrong usage; `command` is for example `peersync trip grant`, `similar` are subcommands
    /// that may have been meant.
    package static func seeHelp(_ command: String, similar: [String] = []) -> String {
        guard similar.isEmpty else {
            let meant = similar.map { "\(command) \($0)" }.joined(separator: tr(", or "))
            return tr("Did you mean: \(meant)")
        }
        return tr("For help and an example, run: \(command) --help")
    }

    package static var schemaFile: String { tr("A schema file (YAML).") }
    package static var recordSpace: String { tr("Name of a space; home for your own.") }
    package static var record: String { tr("Name of a record, or the first letters of its id.") }
    package static var assignments: String { tr("FIELD=VALUE, FIELD+=VALUE or FIELD-=VALUE.") }
}
