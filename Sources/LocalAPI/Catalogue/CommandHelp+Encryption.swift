/// Commands about encrypted trips.
extension CommandHelp {
    package static let tripEncrypt = CommandHelp(
        "Encrypt a trip from now on.", examples: ["peersync trip encrypt Arezzo"],
        remarks: """
            What is written from then on can be read by its members alone, also where others carry or \
            keep it. What was written before stays as it is.
            """)
    package static let tripKey = CommandHelp(
        "Export or change the key of an encrypted trip.",
        examples: ["peersync trip key rotate Arezzo"])
    package static let tripKeyExport = CommandHelp(
        "Write the keys of an encrypted trip to a file, for age.",
        examples: ["peersync trip key export Arezzo --to arezzo.key"],
        remarks: """
            The file has one age identity for each key that the trip ever had, as far as this device \
            has them. Whoever has the file can read what was encrypted under them.
            """)
    package static let tripKeyRotate = CommandHelp(
        "Give an encrypted trip a new key.", examples: ["peersync trip key rotate Arezzo"],
        remarks: """
            Its members get it. It protects what is written from then on, not what was written under \
            the keys before. Removing somebody does this by itself.
            """)
}
