extension CommandHelp {
    package static let trip = CommandHelp(
        "Create and share trips.", examples: ["peersync trip create \"Arezzo 2008\""])
    package static let tripCreate = CommandHelp(
        "Create a trip.", examples: ["peersync trip create \"Arezzo 2008\""])
    package static let tripList = CommandHelp(
        "List your trips, including those you have not accepted yet.",
        examples: ["peersync trip list", "peersync trip list --deleted"])

    package static let tripClose = CommandHelp(
        "Say that a trip is over: lists show it last.",
        examples: ["peersync trip close Arezzo"],
        remarks: "Everything in it stays, and can be changed. Taken back with: peersync trip reopen"
    )
    package static let tripReopen = CommandHelp(
        "Say that a trip goes on.", examples: ["peersync trip reopen Arezzo"])
    package static let tripUpgrade = CommandHelp(
        "Give a trip the newest fields, such as captions of photos.",
        examples: ["peersync trip upgrade Arezzo"],
        remarks: "For everybody. Devices with an older peersync go on without these fields.")

    package static let memory = CommandHelp(
        "Add, find and change memories.",
        examples: ["peersync memory add Arezzo --title Duomo --photo *.jpg"])
    package static let memoryAdd = CommandHelp(
        "Add a memory to a trip.",
        examples: [
            "peersync memory add Arezzo --title Duomo --at \"2008-10-22 16:28\"",
            "peersync memory add Sydney --position -33.9,151.2 --photo *.jpg",
            "peersync memory add Arezzo --title \"Walk\" --track walk.gpx --tag hiking",
        ],
        remarks: """
            Without --at and --position, time and place come from the first photo that has them. \
            A time without zone is the local time of this computer.
            """)
    package static let memoryList = CommandHelp(
        "List all memories, or those that match.",
        examples: [
            "peersync memory list Arezzo",
            "peersync memory list --tag food --since 2008-10-01",
            "peersync memory list --near 43.46,11.88,5km --text duomo",
        ])
    package static let memoryShow = CommandHelp(
        "Show a memory with all its details.", examples: ["peersync memory show Duomo"])
    package static let memoryEdit = CommandHelp(
        "Change a memory.",
        examples: [
            "peersync memory edit Duomo --title \"Duomo di Arezzo\" --add-tag art",
            "peersync memory edit Duomo --add-photo tower.jpg --clear weather",
        ],
        remarks: "Fields that you do not name stay unchanged.")
    package static let memoryDelete = CommandHelp(
        "Delete a memory with its photos for everybody.",
        examples: ["peersync memory delete Duomo"],
        remarks: "Taken back with: peersync memory restore")
    package static let memoryRestore = CommandHelp(
        "Bring back a deleted memory with its photos.",
        examples: ["peersync memory restore Duomo"])

    package static let media = CommandHelp(
        "List photos and files, and save copies of them.", examples: ["peersync media list"])
    package static let mediaList = CommandHelp(
        "List photos, tracks and other files.",
        examples: ["peersync media list --memory Duomo", "peersync media list --trip Arezzo"])
    package static let mediaGet = CommandHelp(
        "Save a copy of a photo or file.",
        examples: [
            "peersync media get tower.jpg",
            "peersync media get tower.jpg --to ~/Pictures",
        ],
        remarks: "It never overwrites a file. MEDIA is a file name or the first letters of an id.")

    package static let mediaEdit = CommandHelp(
        "Give a photo a caption, or another place among the others.",
        examples: [
            "peersync media edit tower.jpg --caption \"The tower at noon\"",
            "peersync media edit tower.jpg --first",
        ],
        remarks:
            "The first photo stands for its memory. MEDIA is a file name or the first letters of an id."
    )

    package static let tag = CommandHelp(
        "Manage tags.", examples: ["peersync tag add food"])
    package static let tagAdd = CommandHelp(
        "Add a tag, for yourself or for a trip.",
        examples: ["peersync tag add food", "peersync tag add pasta --category food --trip Arezzo"])
    package static let tagList = CommandHelp(
        "List your tags, or those of a trip.",
        examples: ["peersync tag list", "peersync tag list --trip Arezzo"])

    package static let tagEdit = CommandHelp(
        "Give a tag another name or category.",
        examples: [
            "peersync tag edit food --name meals", "peersync tag edit food --category Leisure",
        ],
        remarks: "A tag of your own changes in all trips where you used it and may write.")
    package static let tagMerge = CommandHelp(
        "Replace a tag by another one on all memories.",
        examples: ["peersync tag merge foood food"])
    package static let tagDelete = CommandHelp(
        "Delete a tag, and take it off all memories.", examples: ["peersync tag delete food"],
        remarks: "Taken back with: peersync bin restore")

    package static let bin = CommandHelp(
        "See what was deleted lately, and bring it back.", examples: ["peersync bin"])
    package static let binList = CommandHelp(
        "List what was deleted in the last 30 days.",
        examples: ["peersync bin", "peersync bin list --trip Arezzo --all"],
        remarks: """
            Nothing of it is lost, also after these days. For more days: peersync config set bin-days
            """)
    package static let binRestore = CommandHelp(
        "Bring back something that was deleted, with all that went with it.",
        examples: ["peersync bin restore Duomo"])

    package static let bucket = CommandHelp(
        "Manage a list of things you want to do some day.",
        examples: ["peersync bucket add \"See the northern lights\""])
    package static let bucketAdd = CommandHelp(
        "Add an item to your bucket list or that of a trip.",
        examples: ["peersync bucket add \"See the northern lights\""])
    package static let bucketList = CommandHelp(
        "Show your bucket list or that of a trip.",
        examples: ["peersync bucket list", "peersync bucket list --trip Arezzo"])
    package static let bucketDone = CommandHelp(
        "Mark an item of the bucket list as done.",
        examples: ["peersync bucket done northern"])
    package static let bucketEdit = CommandHelp(
        "Change an item of the bucket list.",
        examples: [
            "peersync bucket edit northern --title \"See the northern lights in Norway\"",
            "peersync bucket edit northern --open",
        ])
    package static let bucketMerge = CommandHelp(
        "Replace an item of the bucket list by another one in all memories.",
        examples: ["peersync bucket merge aurora northern"])
    package static let bucketDelete = CommandHelp(
        "Delete an item of the bucket list.",
        examples: ["peersync bucket delete northern"],
        remarks: "Taken back with: peersync bin restore")
}
