package import SyncCore

/// Whether the bytes of a file may go from this device: a pure function of the known facts. Nothing else decides
/// that; an unknown fact keeps the file.
package struct FileRelease: Sendable {
    /// A deletion of what named the file.
    package struct Deletion: Hashable, Sendable {
        /// By the clock of the device that deleted it.
        package let written: Milliseconds
        /// By the clock of this device; a device with a wrong clock must not hurry anything.
        package let received: Milliseconds
        /// Devices that read the space and are not known to have the deletion, or may know of
        /// something else that this device has not heard of.
        package let unheard: Set<DeviceID>

        package init(written: Milliseconds, received: Milliseconds, unheard: Set<DeviceID>) {
            (self.written, self.received, self.unheard) = (written, received, unheard)
        }
    }

    /// How one space uses the file.
    package enum Use: Sendable {
        /// Something that is shown, that does not count, or that this device cannot read.
        case kept
        /// Deleted records alone.
        case deleted([Deletion])
    }

    package enum Verdict: Hashable, Sendable {
        case free
        /// It is not here.
        case absent
        /// Something names it, or is about to.
        case needed
        /// Until then it stays in the bin.
        case later(Milliseconds)
        /// These devices have not acknowledged its deletion.
        case waits(Set<DeviceID>)
    }

    package var isHere = true
    /// When it was imported or received here last; nil: not known.
    package var verifiedAt: Milliseconds?
    /// It was brought into a space in which nothing names it yet, or an unfinished record names it.
    package var isBeingAdded = false
    /// One of each space that names it.
    package var uses: [Use] = []

    package init() {}

    /// `days`: for how many days it stays after it was deleted.
    package func verdict(days: Int, at now: Milliseconds) -> Verdict {
        guard isHere else { return .absent }
        guard !isBeingAdded, !uses.isEmpty else { return .needed }
        var latest: UInt64 = 0
        var unheard: Set<DeviceID> = []
        for use in uses {
            guard case .deleted(let deletions) = use, !deletions.isEmpty else { return .needed }
            for deletion in deletions {
                latest = max(latest, deletion.written.value, deletion.received.value)
                unheard.formUnion(deletion.unheard)
            }
        }
        var (due, isNever) = latest.addingReportingOverflow(UInt64(days) * 86_400_000)
        if let verifiedAt { due = max(due, verifiedAt.value + Limits.freshFileMilliseconds) }
        guard !isNever, due <= now.value else {
            return .later(Milliseconds(isNever ? .max : due))
        }
        return unheard.isEmpty ? .free : .waits(unheard)
    }
}

extension FileRelease {
    /// Whether nobody waits for it: it is not here, and only deleted records name it.
    package var isUnneeded: Bool {
        !isHere && !isBeingAdded && !uses.isEmpty
            && uses.allSatisfy { if case .deleted = $0 { true } else { false } }
    }
}

extension Limits {
    /// A file that came later than this stays: the command that adds it writes the record that names it in a
    /// moment. An hour, for a slow disk.
    static let freshFileMilliseconds: UInt64 = 3_600_000
}
