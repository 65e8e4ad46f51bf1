internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about the bucket list.
struct Bucket: CommandFamily {
    static let configuration = CommandConfiguration(
        "bucket", .bucket,
        subcommands: [
            BucketAdd.self,
            BucketList.self,
            BucketDone.self,
        ])
}
