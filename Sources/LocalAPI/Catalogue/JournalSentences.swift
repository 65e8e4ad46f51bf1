extension Sentence {
    /// Input that may be refused.
    package enum Input: Sendable {
        case tripName, spaceName, title, text, locationName, weather, tag, category, bucketItem

        /// As a sentence begins.
        package var noun: String {
            switch self {
            case .tripName: tr("The name of the trip")
            case .spaceName: tr("The name of the space")
            case .title: tr("The title")
            case .text: tr("The text")
            case .locationName: tr("The name of the place")
            case .weather: tr("The weather")
            case .tag: tr("The tag")
            case .category: tr("The category")
            case .bucketItem: tr("The item for the bucket list")
            }
        }
    }

    /// Actions that a role may forbid, as in "you may not …".
    package enum TripAction: Sendable {
        case addMemory, changeMemory, deleteMemory, removeFile, rename, close, delete, grant
        case addTag, changeTag
        case addBucketItem, changeBucketItem, recover, changeRecords, deleteRecords, changeSchema
        case decide, restore, revoke, encrypt

        /// A person who may write can also delete their own additions.
        package func words(as role: Role) -> String {
            switch (self, role) {
            case (.deleteMemory, .contributor): tr("delete memories of others")
            case (.removeFile, .contributor): tr("remove photos or tracks of others")
            case (.deleteRecords, .contributor): tr("delete what others added")
            default: words
            }
        }

        private var words: String {
            switch self {
            case .addMemory: tr("add memories")
            case .changeMemory: tr("change memories")
            case .deleteMemory: tr("delete memories")
            case .removeFile: tr("remove photos or tracks")
            case .rename: tr("rename it")
            case .close: tr("say whether it is over")
            case .delete: tr("delete it")
            case .grant: tr("give it to others")
            case .revoke: tr("take it from others")
            case .addTag: tr("add tags")
            case .changeTag: tr("change its tags")
            case .addBucketItem: tr("add to its bucket list")
            case .changeBucketItem: tr("change its bucket list")
            case .recover: tr("bring changes back")
            case .decide: tr("decide this")
            case .restore: tr("bring it back")
            case .changeRecords: tr("change its records")
            case .deleteRecords: tr("delete its records")
            case .changeSchema: tr("change its schema")
            case .encrypt: tr("change its key")
            }
        }
    }
}

/// Errors in a person's input for the journal.
extension APIError {

    package static let badPosition = APIError(
        code: .badInput, sentence: "There is no such place on Earth.",
        hint: "Latitude goes from -90 to 90, longitude from -180 to 180: --position -33.9,151.2")

    package static let badTime = APIError(
        code: .badInput, sentence: "There is no such time.",
        hint: "For example: --at 2008-10-22T16:28+02:00")

    package static func relativePath(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "The path \(path) does not start with a slash.",
            hint: "Programs must give the whole path.")
    }

    package static func diskRefused(_ path: String, reason: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "The disk did not take or give \(path): \(reason). Nothing was changed.",
            hint: "Check the disk, then try again.")
    }

    package static let diskFull = APIError(
        code: .failed, sentence: "The disk is full; nothing was changed.",
        hint: "Make room, then try again.")

    /// `folder` lies on the disk.
    package static func diskFull(folder: String, free: Int64, needed: Int64) -> APIError {
        APIError(
            code: diskFull.code, sentence: diskFull.message,
            hint: """
                Make room on the disk of \(Sentence.quoted(folder)): \(Sentence.size(needed)) must \
                be free, and \(Sentence.size(free)) are. Then try again.
                """)
    }
}

/// Faults of a GPX file.
package enum TrackFault: Sendable {
    case unreadable, tooLarge, unsupported, notGPX, noPoints
    /// Lines from 1.
    case malformed(line: Int)
    case badPosition(line: Int)
}

extension Sentence {
    /// Goes after "is not a GPX track:".
    package static func trackFault(_ fault: TrackFault) -> String {
        switch fault {
        case .unreadable: tr("it cannot be read")
        case .tooLarge: tr("it is larger than any real track")
        case .unsupported: tr("it is written in a way that tracks are not")
        case .notGPX: tr("it is some other kind of file")
        case .noPoints: tr("it has no track points")
        case .malformed(let line): tr("it is broken at line \(line)")
        case .badPosition(let line): tr("line \(line) has a place that is not on Earth")
        }
    }
}

extension Sentence {
    /// Words about lists, captions and versions of the journal.
    package enum Journal {

        /// `trip` is nil where names are masked.
        package static func olderFields(trip: String?) -> Problem.Words {
            let place = trip.map { Sentence.name($0) } ?? tr("A trip")
            return Problem.Words(
                "\(place) can have captions of photos, and what phones say of them.",
                "it can have captions of photos",
                "For everybody: peersync trip upgrade \(trip.map { Sentence.quoted($0) } ?? tr("TRIP"))"
            )
        }
    }
}
