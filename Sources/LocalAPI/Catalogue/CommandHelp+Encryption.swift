/// Commands about encrypted trips and spaces.
extension CommandHelp {
    package static func encrypt(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Encrypt a \(noun.word) from now on.", examples: [noun.typed(tr("encrypt"))],
            remarks: """
                What is written and added from then on can be read by its members alone, also where \
                others carry or keep it. Files that are there already are encrypted too, if they are on \
                this device; to go on with those that were not, or after an interruption, run it again. \
                What others have of it in the clear, they keep.
                """)
    }

    package static func key(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Export or change the key of an \(noun.encrypted).",
            examples: [noun.typed(tr("key rotate"))])
    }

    package static func exportKey(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Write the keys of an \(noun.encrypted) to a file, for age.",
            examples: [noun.typed(tr("key export"), tr("--to keys.txt"))],
            remarks: """
                The file has one age identity for each key that \(noun.the) ever had, as far as this \
                device has them. Whoever has the file can read what was encrypted under them: 'age -d -i' \
                opens its files.
                """)
    }

    package static func rotateKey(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Give an \(noun.encrypted) a new key.", examples: [noun.typed(tr("key rotate"))],
            remarks: """
                Its members get it. It protects what is written from then on, not what was written \
                under the keys before. Removing somebody does this by itself.
                """)
    }
}

extension SpaceNoun {
    fileprivate var encrypted: Message {
        self == .trip ? tr("encrypted trip") : tr("encrypted space")
    }
}
