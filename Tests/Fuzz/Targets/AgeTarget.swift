import Encryption

extension FuzzTarget {
    /// Opens what the fuzzer is to reach the payload of.
    static let ageIdentity =
        "AGE-SECRET-KEY-19HDDH6KYMN2G3A3HGPQX43F0KUTQKZFSKNVW7EPT7YV7T5EMJZ2SV3Y6Z0"

    /// An age file, and the texts of age's keys.
    static let age = FuzzTarget(
        "age", longestInput: 4096,
        words: [
            "age-encryption.org/v1\n", "-> X25519 ", "--- ", "\n", "age1", "AGE-SECRET-KEY-1",
            "-> grease x\n",
        ]
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let recipient = try? AgeRecipient(text: text) {
            try require(recipient.text == text, "a recipient has one text")
        }
        if let identity = try? AgeIdentity(text: text) {
            try require(identity.text == text, "an identity has one text")
        }
        let identity = try AgeIdentity(text: ageIdentity)
        let file = MemoryInput(input)
        guard let reader = try? AgeReader(file, identities: [identity]),
            let opened = try? reader.plaintext()
        else { return }
        try require(opened.length < file.length, "a file is longer than what is in it")
        guard let whole = try? opened.read(0..<opened.length) else { return }
        try require(UInt64(whole.count) == opened.length, "what is read is as long as was said")
        if let first = whole.first {
            try require(try opened.read(0..<1) == [first], "a part is what it is of the whole")
        }
    }

    /// What Debian's age made for that identity: a text; and nothing, for another recipient too.
    static let ageFiles = [
        """
        YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSA1Tmg1TDhwNU0za05NRWxJTVl2Nk81MHdhZkZxZnRhTUpk\
        UEh3MW1vM21NCkhQV3VDOXdQSk9YemlVMEJoc0lnRlJVQkxMdjVweS9nU0p1NTJ5SEtDWlEKLS0tIFBFNkhRTjg1\
        RUs3NGdDaWVReXo2R1VwYW9EaENEdG5xbDBXTWZEV2daNDgK2v5AvfhZoW8kgzKnCERn+E4hRZbNyeoaXwkXUu98\
        mstMPFEpOa+oiZCch9yj5mU=
        """,
        """
        YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSA0c1c4eXhHaElpV0djK1BmVkpUbDJsenpEY3A1a1VZOXd1\
        c29SdWJRaUZnCkhDeW5qTkYxdGk0WHdVU3MxellXQVZRWi9acEFrbFIxOG1td2hZSE95Q3MKLT4gWDI1NTE5IEcw\
        eFpwTFVtWVh5V29JNElBTkJjbDJTNU1Tbmp6Y0MrVUp6dWpZZEZrbDQKb05MZDhZa3FrWHYvN3RIWGJxWjNLYXhG\
        Uk9IY0w5bXZjS0lqa2NQY2l2UQotLS0gUlFPSm5wSEVqZXI0ZFBWdVI2SDFTNFZ5a2RacW9LYko0aHJkUlBWb294\
        cwppoSEK13Sr06FWeOSHTaKpNyHVIxCgg7Lq7h2/G1Zg8Q==
        """,
    ]
}
