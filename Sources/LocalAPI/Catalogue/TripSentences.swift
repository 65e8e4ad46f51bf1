extension Sentence {
    /// The words and questions of `trip`, `memory`, `media`, `tag`, `bucket` and `digest`.
    package enum Trip {
        package static func renamed(_ trip: TripView) -> String {
            let name = Sentence.name(trip.name)
            return trip.isTrip
                ? tr("The trip is now called \(name).") : tr("The space is now called \(name).")
        }

        /// `Ben is now editor of this trip. On their device it waits for: peersync trip accept Arezzo`.
        package static func granted(
            _ member: MemberView, _ noun: SpaceNoun, name: String
        ) -> String {
            let (who, role) = (
                plain(member.person.name), Member.standing(member.role, member.rights)
            )
            let place =
                noun == .trip
                ? tr("this trip", context: "member of") : tr("this space", context: "member of")
            let standing =
                switch (member.me, member.role.rights == member.rights) {
                case (true, true): tr("You are now \(role) of \(place).")
                case (true, false): tr("You are now allowed to \(role) in \(place).")
                case (false, true): tr("\(who) is now \(role) of \(place).")
                case (false, false): tr("\(who) is now allowed to \(role) in \(place).")
                }
            let word =
                member.me
                ? tr(" With authority: your values win over those of others, also newer ones.")
                : tr(" With authority: their values win over those of others, also newer ones.")
            let waits = tr(" On their device it waits for: peersync \(noun) accept \(quoted(name))")
            return standing + (member.authority ? word : "") + (member.accepted ? "" : waits)
        }

        package static func accepted(_ trip: TripView) -> String {
            // Before the first fetch, its content is unknown.
            !trip.isTrip || trip.memoryCount == 0
                ? tr("Accepted \(Sentence.name(trip.name)): it comes to this device now.")
                : tr(
                    "Accepted \(Sentence.name(trip.name)), with \(contents(trip)): it comes to this device."
                )
        }

        package static func bringBack(_ trip: TripView) -> String {
            tr("Bring it back for everybody: \(restore(trip))")
        }

        /// `peersync trip restore Arezzo`.
        package static func restore(_ trip: TripView) -> String {
            let name = trip.name.isEmpty ? trip.shortID : quoted(trip.name)
            return "peersync \(trip.noun) restore \(name)"
        }

        /// `deleted by Anna, 3 minutes ago`; with work that nobody saw.
        package static func deletion(_ deletion: DeletionView, ago: String) -> String {
            let unseen = deletion.unseen.isEmpty ? "" : "; \(unseenWork(deletion))"
            return deletion.isMine
                ? tr("deleted by you, \(ago)\(unseen)")
                : tr("deleted by \(plain(deletion.by.name)), \(ago)\(unseen)")
        }

        /// `unseen: Ben added the memory “Hut” with 3 photos`.
        package static func unseenWork(_ deletion: DeletionView) -> String {
            deletion.unseen.map {
                Changes.line($0.isMine ? you : plain($0.author.name), $0.changes)
            }.joined(separator: "; ")
        }

        package static func askDelete(_ trip: TripView) -> String {
            let others = trip.memberCount - 1
            let whom =
                others > 0
                ? tr("for you and \(Sentence.count(others, "other person", "other people"))")
                : tr("on all your devices")
            let instead =
                others > 0
                ? tr(
                    "To go while the others keep it: peersync \(trip.noun) leave \(quoted(trip.name))\n"
                )
                : ""
            return tr(
                """
                This deletes \(Sentence.name(trip.name)) for everybody: \(contents(trip)), \(whom).
                \(instead)Delete it for everybody?
                """)
        }

        /// `14 memories and 31 files (48 MB)`.
        package static func contents(_ trip: TripView) -> String {
            if let schema = trip.schema, !trip.isTrip { return plain(schema) }
            let memories = Sentence.count(trip.memoryCount, "memory", "memories")
            let files = Sentence.count(trip.mediaCount, "file", "files")
            return trip.mediaCount == 0
                ? memories : tr("\(memories) and \(files) (\(size(trip.bytes)))")
        }

        package static func waitsForAnswer(from person: String?) -> String {
            person.map { tr("from \(plain($0)), waits for your answer") }
                ?? tr("waits for your answer")
        }

        package static func missing(_ waiting: WaitingCount) -> String {
            tr("\(Sentence.waiting(waiting)) not here yet")
        }

        package static var you: String { tr("you") }
    }

    /// The words and questions of `memory` and `media`.
    package enum Memory {
        package static func askDelete(_ memory: MemoryView) -> String {
            let files = memory.media.count + (memory.track == nil ? 0 : 1)
            let with = files == 0 ? "" : tr(" with \(Sentence.count(files, "file", "files"))")
            return tr(
                """
                This deletes \(name(memory))\(with) for everybody in \
                \(Sentence.name(memory.trip.name)). Delete it?
                """)
        }

        package static var untitled: String { tr("(no title)") }

        package static func name(_ memory: MemoryView) -> String {
            memory.title.isEmpty ? tr("a memory without title") : "\(Sentence.name(memory.title))"
        }

        package static func status(_ status: RecordStatus) -> String {
            switch status {
            case .localOnly: tr("only on this device")
            case .needsUpload: tr("waits to be sent")
            case .uploading: tr("being sent")
            case .needsDownload: tr("waits to be fetched")
            case .downloading: tr("being fetched")
            case .inSync: tr("synced")
            case .conflict: tr("changed on two devices at once")
            case .syncError: tr("sync failed")
            case .filesPending: tr("files still on their way")
            case .needsDeletion: tr("deletion not delivered yet")
            case .unfinished: tr("unfinished, only here")
            }
        }

        package static func photoChanged(_ media: MediaView) -> String {
            let caption = media.caption.isEmpty ? "" : ": \(Sentence.name(media.caption))"
            return tr("Changed \(plain(media.fileName))\(caption).")
        }

        package static func exported(_ file: ExportedFile) -> String {
            tr("Saved \(file.path) (\(size(file.bytes))).")
        }

        package static var shownValue: String { tr("shown") }
    }

    /// The words of `tag` and `bucket`.
    package enum Lists {
        package static func tagAdded(_ tag: TagView) -> String {
            tr("Added the tag \(Sentence.name(tag.name))\(scope(tag.trip)).")
        }

        package static func bucketAdded(_ item: BucketItemView) -> String {
            tr("Added \(Sentence.name(item.title)) to the bucket list\(scope(item.trip)).")
        }

        package static func tagChanged(_ tag: TagView) -> String {
            let category = tag.category.map { tr(", category \(Sentence.name($0))") } ?? ""
            return tr("The tag is \(Sentence.name(tag.name))\(scope(tag.trip))\(category) now.")
        }

        package static func bucketChanged(_ item: BucketItemView) -> String {
            let state = item.done ? tr("done") : tr("open")
            return tr("\(Sentence.name(item.title))\(scope(item.trip)) is \(state).")
        }

        package static func merged(_ name: String, into other: String) -> String {
            tr("\(Sentence.name(other)) takes the place of what was called \(Sentence.name(name)).")
        }

        package static func deleted(_ name: String) -> String {
            tr("Deleted \(Sentence.name(name)) for everybody.")
        }

        package static func askDeleteTag(_ tag: TagView) -> String {
            let from =
                tag.memoryCount == 0
                ? "" : tr(", and takes it off \(count(tag.memoryCount, "memory", "memories"))")
            return
                tr(
                    "This deletes the tag \(Sentence.name(tag.name))\(scope(tag.trip)) for everybody\(from). "
                )
                + tr("Delete it?")
        }

        package static func askDeleteItem(_ item: BucketItemView) -> String {
            tr(
                "This deletes \(Sentence.name(item.title))\(scope(item.trip)) for everybody. Delete it?"
            )
        }

        private static func scope(_ trip: Reference?) -> String {
            trip.map { tr(" of \(Sentence.name($0.name))") } ?? ""
        }
    }
}
