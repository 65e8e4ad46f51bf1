package import LocalAPI
import Records
import Store
import SyncCore

/// Turns every error inside the agent into a sentence and a hint.
package enum ErrorSentence {
    package static func of(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as StoreError: sentence(error)
        case let error as any DescribedError: error.sentence
        default: .unexpected(error)
        }
    }

    private static func sentence(_ error: StoreError) -> APIError {
        switch error {
        case .locked(let process): storeInUse(process: process)
        case .foreign:
            APIError(
                code: .failed,
                sentence: "The file store.sqlite in this home is not a store of peersync.",
                hint: "It was left as it is. Use another --home.")
        case .newer:
            APIError(
                code: .failed, sentence: "This home was written by a newer peersync.",
                hint: "It was left as it is. Install the newer version here too.")
        case .noRoomToUpdate(let folder, let needed, let free):
            noRoomToUpdate(
                in: folder, needed: Int64(clamping: needed), free: free.map { Int64(clamping: $0) })
        case .notUpdated(let reason, let former):
            notUpdated(plain(reason), former: former)
        case .diskFull: .diskFull
        case .diskReadOnly(let path): diskReadOnly(path)
        case .gone(let folder): gone(folder)
        case .moved(let folder, let place): moved(folder, to: place)
        case .unlocked(let folder): unlocked(folder)
        case .failed(let reason), .corrupt(let reason): .storeBroken(plain(reason))
        case .commitTooLarge: .requestTooLarge
        case .refused(.misbehaved(.tooManyFacts)):
            APIError(
                code: .tooLarge,
                sentence: "This device has changed the members of the trip too often.",
                hint: "Do it on another device of an admin; memories can be written as before.")
        default: .unexpected(error)
        }
    }

    private static func diskReadOnly(_ path: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "\(Sentence.plain(path)) is on a disk that can only be read.",
            hint: """
                Nothing was changed. Linux often does this after an error of the disk: see 'sudo dmesg'. \
                To go on now, copy the folder to another disk, use it there with --home, and do not use this one \
                again.
                """)
    }

    private static func gone(_ folder: String) -> APIError {
        APIError(
            code: .failed,
            sentence: """
                The folder \(Sentence.plain(folder)) with the data of this device was deleted: nothing can be \
                saved there any more, and the agent stops.
                """,
            hint: """
                Put it back from a backup: peersync restore FOLDER. Without one, set this device up again: \
                peersync init, or peersync join --mine
                """)
    }

    private static func moved(_ folder: String, to place: String) -> APIError {
        APIError(
            code: .failed,
            sentence: """
                The folder \(Sentence.plain(folder)) with the data of this device is now \(Sentence.plain(place)): \
                the agent stops.
                """,
            hint: """
                Nothing is lost. Start it again there: \
                peersync run --home \(Sentence.quoted(place))
                """)
    }

    private static func unlocked(_ folder: String) -> APIError {
        APIError(
            code: .failed,
            sentence: """
                The file “lock” in \(Sentence.plain(folder)) was deleted or replaced, and without it two programs \
                could write there at once: nothing is saved any more, and the agent stops.
                """,
            hint: "Nothing is lost. Start it again: peersync run")
    }

    /// SQLite's message without the statement that it refers to.
    package static func plain(_ reason: String) -> String {
        reason.firstRange(of: " - while executing").map { String(reason[..<$0.lowerBound]) }
            ?? reason
    }
}

extension AgentError: DescribedError {
    package var sentence: APIError {
        switch self {
        case .notInitialised: .notInitialised
        case .keysOfAnother:
            APIError(
                code: .failed,
                sentence: """
                    The file device.key, in this folder or from the service, belongs to another device.
                    """,
                hint: "Copy device.key back from a backup of this device.")
        case .keysWithService:
            APIError(
                code: .failed,
                sentence: "This device's keys are with the service, and it does not run.",
                hint: "Start it: systemctl --user start peersync")
        case .storeGone:
            APIError(
                code: .failed,
                sentence: "The database of this device is gone, or an empty one is in its place.",
                hint: """
                    Copy store.sqlite back from a backup. Without one, set this device up again in another \
                    folder: what your other devices have comes back by itself.
                    """)
        }
    }
}

private func storeInUse(process: Int32?) -> APIError {
    let holder = process.map { tr(" (process \($0))") } ?? ""
    return APIError(
        code: .busy, sentence: "Another peersync is using this home right now\(holder).",
        hint: "Wait until it is done, or use another --home.")
}

/// `needed` and `free` are bytes on the disk of `folder`.
private func noRoomToUpdate(in folder: String, needed: Int64, free: Int64?) -> APIError {
    let found = free.map { tr(", and \(Sentence.size($0)) are") } ?? ""
    return APIError(
        code: APIError.diskFull.code,
        sentence: """
            An older peersync wrote this home, and the disk has no room to bring it up to date. Nothing \
            was changed.
            """,
        hint: """
            Make room on the disk of \(Sentence.quoted(folder)): \
            \(Sentence.size(needed)) must be free\(found). A copy of the database takes most of \
            it, and goes by itself later. Then try again; the older peersync still works here.
            """)
}

/// `former` is the path of the store that the older peersync left.
private func notUpdated(_ reason: String, former: String) -> APIError {
    APIError(
        code: .failed, sentence: "The store could not be opened: \(reason).",
        hint: """
            Check the disk, then try again. The store as it was before the update is kept in \
            \(Sentence.quoted(former)): an older peersync can go on with it.
            """)
}
