/// What options and arguments mean, and what is wrong with a value given for one.
package enum OptionHelp {
    package static let globalTitle = "Global options"
    package static let json = "Print JSON, for other programs."
    package static let home = "Folder with all of peersync's data (or PEERSYNC_HOME)."
    package static let yes = "Answer yes to every question."

    package static let deviceName = "Name of this device; the computer's own if you do not choose."
    package static let personName = "Your name, as friends will see it."
    package static let recoveryFile = "Write the recovery key to a new file instead of showing it."
    package static let port = "TCP port to listen on; the next free one if it is taken."
    package static let log = "What is logged: verbose, debug, info, warning or error."
    package static let logFormat = "How: text for people and the journal, or json."
    package static let repair = "Put right what can be put right safely."
    package static let report = "Also write a report for a bug to a new file, without names."
    package static let link = "Show a link with address and secret instead of a code."
    package static let mine = "Make this a further device of yours."
    package static let at = "Address of the other device, if it is not found by itself."
    package static let onOff = "on or off; without it, sync now."

    package static let trip = "Name of a trip, or the first letters of its id."
    package static let tripToRecover = "A trip; without it, all of them and your own lists."
    package static let recoveredDevice =
        "Only this device, and everything of it that does not count."
    package static let conflictSpace = "Name of a trip or space, or the first letters of its id."
    package static let conflict = "The first letters of its id."
    package static let takenValue = "Take the value with this number."
    package static let decidedValue = "Write this value."
    package static let merge = "Keep what was put together from all."
    package static let tripName = "Name of the new trip."
    package static let newTripName = "The new name."
    package static let tripScope = "A trip; without it, your own list."
    package static let person = "Name of a person, or the first letters of their id."
    package static let role =
        "What they may do: viewer, contributor, editor or admin; contributor if not said."
    package static let authority = "What they write wins over what others write, also over newer."
    package static let device = "Name of a device, or the first letters of its id."
    package static let address = "HOST or HOST:PORT."
    package static let memory = "Title of a memory, or the first letters of its id."
    package static let deletedMemory =
        "Title of a deleted memory, or the first letters of its id."
    package static let media = "A file name, or the first letters of an id."
    package static let to = "Folder or new file; the current folder if you do not choose."
    package static let tagName = "Name of the tag."
    package static let category = "Category of the tag; made if it is new."
    package static let bucketTitle = "What you want to do."
    package static let bucketItem = "An item of the bucket list, or the first letters of its id."

    package static let title = "Title."
    package static let text = "Text."
    package static let time =
        "When: \"2008-10-22 16:28\", \"today 14:30\", or with zone 2008-10-22T16:28+02:00."
    package static let position = "Where, in degrees: 43.46,11.88 (south and west are negative)."
    package static let accuracy = "How exact the position is, in metres."
    package static let place = "Name of the place."
    package static let weather = "The weather."
    package static let tags = "A tag; repeat it for more."
    package static let removeTags = "A tag to take away; repeat it for more."
    package static let photos = "Photos or other files, in order."
    package static let removePhotos = "A photo to take out, by file name or id; repeat it for more."
    package static let track = "A GPX file."
    package static let clear = "Empty a field: at, position, place, weather, bucket or track."

    package static let filterTag = "Only with this tag."
    package static let since = "Only from this day or time on."
    package static let until = "Only until this day, or before this time."
    package static let near =
        "Only near a position: LAT,LON or LAT,LON,DISTANCE (1km if not given)."
    package static let filterText = "Only with this in title, text, place or weather."

    package static let badTime =
        "Write a time like \"2008-10-22 16:28\", \"today 14:30\" or 2008-10-22T16:28+02:00."
    package static let noSuchDate = "There is no such day or time."
    package static let badDay = "Write a day like 2008-10-22, or a day and a time."
    package static let badPosition =
        "Write latitude and longitude in degrees, like 43.46,11.88 or -33.9,151.2."
    package static let latitudeRange = "The latitude must lie between -90 and 90."
    package static let longitudeRange = "The longitude must lie between -180 and 180."
    package static let badNear =
        "Write a position and a distance, like 43.46,11.88,5km or 43.46,11.88,300m."
    package static let badAccuracy = "Write a number of metres greater than 0."
    package static let accuracyWithoutPosition = "--accuracy belongs to --position; give both."
    package static let unknownField =
        "The fields are at, position, place, weather, bucket and track."

    /// What to do about wrong usage; `command` as in `peersync trip grant`.
    package static func seeHelp(_ command: String) -> String {
        "All about it, with an example: \(command) --help"
    }
}
