extension Sentence {
    /// What `trip`, `memory`, `media`, `tag`, `bucket` and `digest` say and ask.
    package enum Trip {
        package static func created(_ trip: TripView) -> String {
            "Created \(Sentence.name(trip.name)) (\(trip.shortID))."
        }

        package static func createdNext(_ trip: TripView) -> String {
            "Next: peersync memory add \(quoted(trip.name)) --title \"First day\""
        }

        package static func renamed(_ trip: TripView) -> String {
            "The \(trip.noun) is now called \(Sentence.name(trip.name))."
        }

        package static func closed(_ trip: TripView) -> String {
            "\(Sentence.name(trip.name)) is over: lists show it last. Everything in it stays."
        }

        package static func reopened(_ trip: TripView) -> String {
            "\(Sentence.name(trip.name)) goes on."
        }

        package static func upgraded(_ trip: String) -> String {
            "\(Sentence.name(trip)) has all fields that this program knows."
        }

        package static let over = "over"

        /// `Ben is now editor of this trip. On their device it waits for: peersync trip accept Arezzo`.
        package static func granted(
            _ member: MemberView, _ noun: SpaceNoun, name: String
        ) -> String {
            let who = member.me ? "You are" : "\(plain(member.person.name)) is"
            let whose = member.me ? "your" : "their"
            let word =
                member.authority
                ? " With authority: \(whose) values win over those of others, also newer ones." : ""
            let role = Member.standing(member.role, member.rights)
            let what = member.role.rights == member.rights ? "\(role) of" : "allowed to \(role) in"
            let waits = " On their device it waits for: peersync \(noun) accept \(quoted(name))"
            return "\(who) now \(what) this \(noun).\(word)" + (member.accepted ? "" : waits)
        }

        package static func accepted(_ trip: TripView) -> String {
            // Before the first fetch nothing is known of what is in it.
            !trip.isTrip || trip.memoryCount == 0
                ? "Accepted \(Sentence.name(trip.name)): it comes to this device now."
                : "Accepted \(Sentence.name(trip.name)), with \(contents(trip)): it comes to this device."
        }

        package static func declined(_ trip: TripView) -> String {
            "Declined \(Sentence.name(trip.name)); nothing of it is kept here."
        }

        package static func left(_ trip: TripView) -> String {
            "You left \(Sentence.name(trip.name)); the others keep it."
        }

        package static func deleted(_ trip: TripView) -> String {
            "Deleted \(Sentence.name(trip.name)) for everybody."
        }

        package static func deletedNext(_ trip: TripView) -> String {
            "Taken back with: \(restore(trip))"
        }

        package static func restored(_ trip: TripView) -> String {
            "Brought back \(Sentence.name(trip.name)) for everybody: \(contents(trip))."
        }

        package static func bringBack(_ trip: TripView) -> String {
            "Bring it back for everybody: \(restore(trip))"
        }

        /// `peersync trip restore Arezzo`.
        package static func restore(_ trip: TripView) -> String {
            let name = trip.name.isEmpty ? trip.shortID : quoted(trip.name)
            return "peersync \(trip.noun) restore \(name)"
        }

        /// `deleted by Anna, 3 minutes ago`; with work that nobody saw.
        package static func deletion(_ deletion: DeletionView, ago: String) -> String {
            let who = deletion.isMine ? "you" : plain(deletion.by.name)
            let unseen = deletion.unseen.isEmpty ? "" : "; \(unseenWork(deletion))"
            return "deleted by \(who), \(ago)\(unseen)"
        }

        /// `unseen: Ben added the memory “Hut” with 3 photos`.
        package static func unseenWork(_ deletion: DeletionView) -> String {
            deletion.unseen.map { work in
                let who = work.isMine ? "you" : plain(work.author.name)
                return "\(who) \(Changes.text(work.changes))"
            }.joined(separator: "; ")
        }

        package static let noneDeleted = "Nothing is deleted."

        package static func askDelete(_ trip: TripView) -> String {
            let others = trip.memberCount - 1
            let whom =
                others > 0
                ? "for you and \(Sentence.count(others, "other person", "other people"))"
                : "on all your devices"
            let instead =
                others > 0
                ? "To go while the others keep it: peersync \(trip.noun) leave \(quoted(trip.name))\n"
                : ""
            return """
                This deletes \(Sentence.name(trip.name)) for everybody: \(contents(trip)), \(whom).
                \(instead)Delete it for everybody?
                """
        }

        package static func askLeave(_ trip: TripView) -> String {
            """
            You will no longer see or get \(Sentence.name(trip.name)); the others keep it, and \
            only \
            they can give it back. Leave it?
            """
        }

        /// `14 memories and 31 files (48 MB)`.
        package static func contents(_ trip: TripView) -> String {
            if let schema = trip.schema, !trip.isTrip { return plain(schema) }
            let memories = Sentence.count(trip.memoryCount, "memory", "memories")
            let files = Sentence.count(trip.mediaCount, "file", "files")
            return trip.mediaCount == 0
                ? memories : "\(memories) and \(files) (\(size(trip.bytes)))"
        }

        package static func filesVerified(_ verified: Int, of total: Int) -> String {
            "files verified \(verified) of \(total)"
        }

        package static func waitsForAnswer(from person: String?) -> String {
            person.map { "from \(plain($0)), waits for your answer" } ?? "waits for your answer"
        }

        package static func missing(_ waiting: WaitingCount) -> String {
            "\(Sentence.waiting(waiting)) not here yet"
        }

        package static let youLeft = "you left it"
        package static let founder = "founder"
        package static let you = "you"
        package static let notAcceptedYet = "not accepted yet"
        package static let authority = "with authority"
    }

    /// What `memory` and `media` say and ask.
    package enum Memory {
        package static func added(_ memory: MemoryView) -> String {
            "Added \(name(memory)) to \(Sentence.name(memory.trip.name)) (\(memory.shortID))."
        }

        package static func writtenAlready(_ memory: MemoryView) -> String {
            "Too late to stop: the memory was already written (\(memory.shortID))."
        }

        package static let stopped = APIError(
            code: .failed, sentence: "Stopped; nothing was added.")

        package static let askAgain = "Add them again all the same?"

        package static func changed(_ memory: MemoryView) -> String {
            "Changed \(name(memory)) (\(memory.shortID))."
        }

        package static func deleted(_ memory: MemoryView) -> String {
            "Deleted \(name(memory)) for everybody."
        }

        package static func restored(_ memory: MemoryView) -> String {
            "Brought back \(name(memory)) for everybody."
        }

        package static func askDelete(_ memory: MemoryView) -> String {
            let files = memory.media.count + (memory.track == nil ? 0 : 1)
            let with = files == 0 ? "" : " with \(Sentence.count(files, "file", "files"))"
            return """
                This deletes \(name(memory))\(with) for everybody in \
                \(Sentence.name(memory.trip.name)). Delete it?
                """
        }

        package static let untitled = "(no title)"

        static func name(_ memory: MemoryView) -> String {
            memory.title.isEmpty ? "a memory without title" : "\(Sentence.name(memory.title))"
        }

        package static func status(_ status: RecordStatus) -> String {
            switch status {
            case .localOnly: "only on this device"
            case .needsUpload: "waits to be sent"
            case .uploading: "being sent"
            case .needsDownload: "waits to be fetched"
            case .downloading: "being fetched"
            case .inSync: "synced"
            case .conflict: "changed on two devices at once"
            case .syncError: "sync failed"
            case .filesPending: "files still on their way"
            case .needsDeletion: "deletion not delivered yet"
            case .unfinished: "unfinished, only here"
            }
        }

        package static func undecodable(_ fileName: String) -> String {
            """
            \(plain(fileName)) could not be read as a picture; it is kept and synced whole, \
            without thumbnail.
            """
        }

        package static func duplicate(_ fileName: String) -> String {
            "\(plain(fileName)) is in this memory already and was not added again."
        }

        package static func photoChanged(_ media: MediaView) -> String {
            let caption = media.caption.isEmpty ? "" : ": \(Sentence.name(media.caption))"
            return "Changed \(plain(media.fileName))\(caption)."
        }

        package static func exported(_ file: ExportedFile) -> String {
            "Saved \(file.path) (\(size(file.bytes)))."
        }

        package static let shownValue = "shown"

        package static let none = "No memory found."
        package static let noMedia = "No photo or file found."
    }

    /// What `tag` and `bucket` say.
    package enum Lists {
        package static func tagAdded(_ tag: TagView) -> String {
            "Added the tag \(Sentence.name(tag.name))\(scope(tag.trip))."
        }

        package static func bucketAdded(_ item: BucketItemView) -> String {
            "Added \(Sentence.name(item.title)) to the bucket list\(scope(item.trip))."
        }

        package static func bucketDone(_ item: BucketItemView) -> String {
            "Done: \(Sentence.name(item.title))."
        }

        package static func tagChanged(_ tag: TagView) -> String {
            let category = tag.category.map { ", category \(Sentence.name($0))" } ?? ""
            return "The tag is \(Sentence.name(tag.name))\(scope(tag.trip))\(category) now."
        }

        package static func bucketChanged(_ item: BucketItemView) -> String {
            let state = item.done ? "done" : "open"
            return "\(Sentence.name(item.title))\(scope(item.trip)) is \(state)."
        }

        package static func merged(_ name: String, into other: String) -> String {
            "\(Sentence.name(other)) takes the place of what was called \(Sentence.name(name))."
        }

        package static func deleted(_ name: String) -> String {
            "Deleted \(Sentence.name(name)) for everybody."
        }

        package static func askDeleteTag(_ tag: TagView) -> String {
            let from =
                tag.memoryCount == 0
                ? "" : ", and takes it off \(count(tag.memoryCount, "memory", "memories"))"
            return
                "This deletes the tag \(Sentence.name(tag.name))\(scope(tag.trip)) for everybody\(from). "
                + "Delete it?"
        }

        package static func askDeleteItem(_ item: BucketItemView) -> String {
            "This deletes \(Sentence.name(item.title))\(scope(item.trip)) for everybody. Delete it?"
        }

        package static let noTags = "No tag yet. Add one: peersync tag add food"
        package static let emptyBucket =
            """
            The bucket list is empty. Add something: peersync bucket add "See the northern \
            lights"
            """

        private static func scope(_ trip: Reference?) -> String {
            trip.map { " of \(Sentence.name($0.name))" } ?? ""
        }
    }
}
