import Foundation
import Identity
import Testing

@Suite("scrypt")
struct ScryptTests {
    @Test(
        "the vectors of RFC 7914 section 12",
        arguments: [
            (
                "password", "NaCl", 1024, 8, 16,
                """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """
            ),
            (
                "pleaseletmein", "SodiumChloride", 16384, 8, 1,
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """
            ),
        ])
    func vectors(
        secret: String, salt: String, costs: UInt64, blockSize: UInt64, parallelism: UInt64,
        expected: String
    ) {
        let key = Scrypt(costs: costs, blockSize: blockSize, parallelism: parallelism)
            .key(from: Array(secret.utf8), salt: Array(salt.utf8), byteCount: 64)
        #expect(key.map { String(format: "%02x", $0) }.joined() == expected)
    }
}
