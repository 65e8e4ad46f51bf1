import SyncSimulator
import Testing

/// Schedules of fresh seeds that failed once, cut down; see ``FoundScheduleTests``.
@Suite("Schedules that failed later")
struct LaterScheduleTests {
    @Test("a former vault that reads a space passes on what its restored founder forgot")
    func restoredFounder() throws {
        try endsWell(
            Schedule(
                seed: 7_002_089, owners: [0, 1], skews: [315_360_000_000, 1435],
                latency: 5,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x9e73_a4d5_4ebf_f2b1),
                    Step(.encrypt, 0, 0, 0, salt: 0x24db_ce3c_55f6_7f86),
                    Step(.copy, 0, 0, 0, salt: 0x02a2_ebfb_e586_454b),
                    Step(.carry, 0, 1, 0, salt: 0xdabe_b5ab_4f53_6027),
                    Step(.pass, 1, 0, 40000, salt: 0xb6d8_deee_4bfa_6578),
                    Step(.grant, 0, 1, 0, salt: 0x154d_390e_6e3b_74de),
                    Step(.restore, 0, 1, 0, salt: 0x1554_429c_8e6e_21a1),
                ]))
    }

    @Test("a vault has no plain text from before a space was encrypted")
    func plainWordsOnVault() throws {
        try endsWell(
            Schedule(
                seed: 8_991_099_028, owners: [0, 1, 2], skews: [-853, -1924, 315_360_000_000],
                latency: 1,
                steps: [
                    Step(.establish, 0, 0, 0, salt: 0x30a6_36ae_ce0e_afad),
                    Step(.copy, 0, 0, 0, salt: 0x72c7_99b5_7a4a_1e8d),
                    Step(.found, 0, 1, 0, salt: 0x91fc_bc14_d829_64b5),
                    Step(.grant, 0, 1, 0, salt: 0xe33e_4779_af1d_ac8c),
                    Step(.copy, 0, 0, 0, salt: 0xf3b6_b9a8_6954_b942),
                    Step(.encrypt, 0, 0, 0, salt: 0x984d_c0af_7b16_ac9d),
                    Step(.carry, 0, 1, 0, salt: 0x6d39_ff39_4b87_4b11),
                    Step(.copy, 0, 1, 0, salt: 0xdb95_1dba_f3fa_9bf5),
                    Step(.pass, 1, 2, 40000, salt: 0x237a_c0d1_64ce_c202),
                    Step(.rollBack, 0, 1, 0, salt: 0x4594_8c1c_004d_18f5),
                    Step(.edit, 1, 2, 0, salt: 0x416c_232a_21b6_bd24),
                ]))
    }

    @Test("a vault stores nothing that its readers refuse for its sealed contents")
    func refusedWords() throws {
        try endsWell(
            Schedule(
                seed: 48_774_630_671, owners: [0, 1, 2, 3, 3],
                skews: [-1698, -315_360_000_000, -872, 1006, 315_360_000_000],
                roles: [.honest, .honest, .trespasser, .honest, .honest], latency: 1,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0xd9c5_17ea_c114_eeb6),
                    Step(.grant, 0, 2, 0, salt: 0x6d65_cffe_09e3_bf2e),
                    Step(.encrypt, 0, 0, 0, salt: 0x0368_a889_803f_9379),
                    Step(.carry, 0, 1, 0, salt: 0x5139_e8bb_2a5d_cc7e),
                    Step(.pass, 1, 3, 40000, salt: 0xcc9f_3582_53e3_f831),
                    Step(.attack, 2, 0, 0, salt: 0xf3d8_d04f_7f38_6397),
                ]))
    }

    @Test("a space left while the disk is full is left or not, and nothing in between")
    func leftOnFullDisk() throws {
        try endsWell(
            Schedule(
                seed: 7_001_379, owners: [0, 0, 0], skews: [-44, -534, 1468],
                latency: 5,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x7fe8_2ca0_845d_cb49),
                    Step(.crash, 2, 1, 0, salt: 0x5480_b107_cc81_1682),
                    Step(.fullDisk, 0, 2, 0, salt: 0xe7a4_030e_446c_904b),
                    Step(.pass, 0, 2, 300, salt: 0x4f25_5a0d_c151_0584),
                    Step(.leave, 0, 1, 0, salt: 0x9e97_2aa7_98be_b20b),
                ]))
    }

    @Test("a space left during a power cut is left or not, and nothing in between")
    func leftInPowerCut() throws {
        try endsWell(
            Schedule(
                seed: 7_065_491, owners: [0, 0], skews: [596, -266],
                latency: 1,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x23b8_78b9_4cb1_f1d3),
                    Step(.copy, 1, 0, 0, salt: 0xb8d4_24d1_6589_db79),
                    Step(.rollBack, 1, 0, 0, salt: 0xd77a_5c22_721c_9a5c),
                    Step(.pass, 0, 1, 40000, salt: 0x3b9c_90c4_b48b_e712),
                    Step(.dyingDisk, 0, 1, 0, salt: 0xfbd3_e335_43cd_e3e6),
                    Step(.leave, 0, 1, 0, salt: 0xdbb8_7d86_ad92_d978),
                ]))
    }

    @Test("a founder who leaves a shared space on a full disk does not stay in it alone")
    func foreverActive() throws {
        try endsWell(
            Schedule(
                seed: 7_093_270, owners: [0, 1], skews: [110, 1_969_518],
                latency: 150,
                steps: [
                    Step(.establish, 0, 0, 0, salt: 0x8294_3fbc_835d_e66c),
                    Step(.grant, 0, 1, 0, salt: 0x4142_a1da_5330_42d1),
                    Step(.pass, 0, 0, 3500, salt: 0x6f7e_6da3_16c7_eb6e),
                    Step(.revoke, 0, 1, 0, salt: 0x9ba8_6ba1_701d_3df5),
                    Step(.reform, 0, 1, 0, salt: 0xd17b_6a40_e8ea_e635),
                    Step(.fullDisk, 0, 1, 0, salt: 0xddfb_f616_f3ad_473f),
                    Step(.leave, 0, 1, 0, salt: 0xdd84_f9df_c2e9_95cc),
                ]))
    }

    @Test("a file in two spaces is requested in the one that the device may still read")
    func fileOfTwoSpaces() throws {
        try endsWell(
            Schedule(
                seed: 7_084_093, owners: [0, 0, 0, 0, 0],
                skews: [1413, 205, -315_360_000_000, 1520, 1_477_299],
                latency: 150,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x5b27_64be_193f_e4ba),
                    Step(.found, 2, 4, 0, salt: 0xe9b_60df_ceea_6f87),
                    Step(.pass, 1, 3, 40000, salt: 0x1c50_1212_8434_713a),
                    Step(.revoke, 2, 3, 0, salt: 0xa050_5c91_eba9_780a),
                    Step(.photo, 0, 3, 0, salt: 0x20c6_2238_d59e_8ddb),
                    Step(.photo, 1, 3, 0, salt: 0xcba7_7b0c_738f_14af),
                ]))
    }

    @Test("a file that failed on dead connections arrives without a new connection")
    func fileAfterDeadConnections() throws {
        try endsWell(
            Schedule(
                seed: 7_092_609, owners: [0, 1, 2, 1],
                skews: [-1307, -78, -315_360_000_000, 315_360_000_000],
                latency: 150,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x67ea_8d4f_8a5f_8fcb),
                    Step(.grant, 0, 1, 0, salt: 0xc9a4_85d1_3e58_d5e2),
                    Step(.slow, 3, 1, 2849, salt: 0x5ee9_c3d2_1b49_ad70),
                    Step(.pass, 0, 1, 40000, salt: 0x4a6e_f209_ed4d_90fe),
                    Step(.copy, 3, 0, 0, salt: 0x8894_eb41_fb70_0c67),
                    Step(.silence, 0, 1, 0, salt: 0x5057_5090_3a0a_990c),
                    Step(.rollBack, 3, 1, 0, salt: 0xf5a3_1292_3c84_aa0d),
                    Step(.silence, 3, 1, 0, salt: 0x1541_f171_546d_e7ab),
                    Step(.photo, 3, 0, 0, salt: 0xc077_425a_c26b_0356),
                ]))
    }

    @Test("a file connection that had not said hello ends with the session beside it")
    func bulkOfDuplicate() throws {
        try endsWell(
            Schedule(
                seed: 7_106_913, owners: [0, 0], skews: [-1357, -1742],
                latency: 150,
                steps: [
                    Step(.establish, 0, 0, 0, salt: 0x94c_f380_6979_671a),
                    Step(.found, 0, 1, 0, salt: 0x4b88_6439_dc09_0f69),
                    Step(.pass, 0, 0, 3500, salt: 0x13ad_7756_4e63_792e),
                    Step(.pass, 1, 0, 300, salt: 0x7ebf_8318_19a9_47ac),
                    Step(.crash, 1, 0, 0, salt: 0x65f8_4420_a362_8440),
                    Step(.pass, 0, 1, 300, salt: 0x196a_d586_eec1_f64f),
                    Step(.pass, 0, 1, 300, salt: 0x1cda_2b9b_5a8a_ac06),
                    Step(.photo, 0, 1, 0, salt: 0x5433_69f7_a184_6c90),
                    Step(.edit, 0, 1, 0, salt: 0xf157_7998_5c90_4f21),
                ]))
    }

    @Test("a trespasser's commit is known to be forbidden although its disk failed meanwhile")
    func trespassOnFailingDisk() throws {
        try endsWell(
            Schedule(
                seed: 7_147_437, owners: [0, 1, 2], skews: [-1157, 802, 410],
                roles: [.honest, .honest, .trespasser], latency: 150,
                steps: [
                    Step(.found, 0, 1, 0, salt: 0x9fdb_fc4b_1883_a24f),
                    Step(.grant, 0, 2, 0, salt: 0x5244_7a37_31fb_debd),
                    Step(.pass, 0, 2, 3000, salt: 0xb8bb_f349_240b_a987),
                    Step(.failingDisk, 2, 1, 0, salt: 0xc925_ac02_d907_e709),
                    Step(.attack, 2, 1, 0, salt: 0x7587_d61b_7663_f1f6),
                    Step(.pass, 0, 1, 3000, salt: 0xf52e_ae41_968d_1965),
                ]))
    }

    @Test("a trespasser's later commit is known to be forbidden although its disk failed")
    func secondTrespass() throws {
        try endsWell(
            Schedule(
                seed: 7_161_049, owners: [0, 1, 2], skews: [-1418, -1828, -1760],
                roles: [.honest, .honest, .trespasser], latency: 150,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x5fb8_7e36_9e47_ca71),
                    Step(.grant, 0, 2, 0, salt: 0x47e7_f772_0367_40dd),
                    Step(.pass, 1, 0, 3000, salt: 0x7bb6_d50b_155f_6ae9),
                    Step(.attack, 2, 1, 0, salt: 0x6596_e28b_d6a4_70ad),
                    Step(.failingDisk, 2, 0, 0, salt: 0x1ae_406b_eb0b_f819),
                    Step(.pass, 0, 2, 40000, salt: 0xe93a_2215_4cec_130e),
                    Step(.attack, 2, 1, 0, salt: 0x9acd_3879_d2e2_c35d),
                    Step(.pass, 2, 0, 40000, salt: 0x459d_241b_d9b0_4ba9),
                ]))
    }

    @Test("a higher version that a trespasser brings after all have met is awaited")
    func lateVersion() throws {
        try endsWell(
            Schedule(
                seed: 81_140_012_576, owners: [0, 1, 0], skews: [-1212, -315_360_000_000, 520],
                roles: [.honest, .trespasser, .honest], latency: 150,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0xf695_21b0_6b60_155f),
                    Step(.grant, 0, 1, 0, salt: 0x6b56_27d3_790f_0247),
                    Step(.backUp, 2, 0, 0, salt: 0x7aa7_cb01_a35a_1ee6),
                    Step(.apply, 0, 0, 0, salt: 0xff74_0590_5808_c455),
                    Step(.pass, 1, 2, 3000, salt: 0x38d6_1f38_f8a6_7c62),
                    Step(.partition, 0, 2, 0, salt: 0xee10_91a7_e971_d991),
                    Step(.lose, 0, 2, 0, salt: 0x5299_591f_b286_5fd7),
                    Step(.pass, 0, 2, 3000, salt: 0x723c_31e2_1e50_1f86),
                    Step(.attack, 1, 0, 0, salt: 0x3c1a_9656_7a8e_b228),
                    Step(.apply, 1, 2, 0, salt: 0xf7e9_9e6b_5d3c_6625),
                ]))
    }

    @Test("a file that a failing disk kept nevertheless counts as added")
    func fileOnFailingDisk() throws {
        try endsWell(
            Schedule(
                seed: 12_444_092_220, owners: [0, 1], skews: [-3_321_720, -1759],
                latency: 150,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0xa0c4_78c5_35ea_6a00),
                    Step(.grant, 0, 1, 0, salt: 0xb6ea_d0ca_3c6e_fd9e),
                    Step(.pass, 1, 0, 3000, salt: 0x8bfb_1425_0241_c58e),
                    Step(.failingDisk, 1, 0, 0, salt: 0xeda8_46c5_3f71_0acc),
                    Step(.photo, 1, 0, 0, salt: 0x462b_245c_4a31_407b),
                ]))
    }

    @Test("a file refused before a fork undid a revocation is requested again")
    func refusedBeforeFork() throws {
        try endsWell(
            Schedule(
                seed: 80_003_448, owners: [0, 0], skews: [1536, 1937], latency: 20,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x66bb_228c_f0f8_03ba),
                    Step(.copy, 0, 0, 0, salt: 0xf22c_fa0c_13a6_e7eb),
                    Step(.pass, 1, 0, 300, salt: 0x0a0e_6128_bb4a_7302),
                    Step(.revoke, 0, 1, 0, salt: 0x6ddc_e62c_0abb_206d),
                    Step(.photo, 1, 0, 0, salt: 0x35df_426e_2b70_d323),
                    Step(.rollBack, 0, 1, 0, salt: 0x7a65_240d_be21_6843),
                    Step(.revoke, 0, 1, 0, salt: 0x103e_0ed2_4155_330c),
                ]))
    }

    @Test("a lost ack is sent again although the peer does not take part in another space")
    func lostAck() throws {
        try endsWell(
            Schedule(
                seed: 70_031_846, owners: [0, 0], skews: [1885, 63], latency: 1,
                outdated: [0],
                steps: [
                    Step(.establish, 0, 0, 0, salt: 0xadca_e5f5_d2c4_f26b),
                    Step(.found, 0, 1, 0, salt: 0xfb40_4e4f_587e_f3ce),
                    Step(.pass, 0, 1, 3000, salt: 0xfee6_f3be_256a_1be8),
                    Step(.leave, 1, 0, 0, salt: 0x5442_8110_4bf4_239a),
                    Step(.revoke, 0, 1, 0, salt: 0x9e10_9f64_6ad1_ad7f),
                    Step(.pass, 0, 1, 300, salt: 0x7702_8036_8c4b_b312),
                    Step(.empower, 0, 1, 0, salt: 0xa2f4_19bb_38ca_0556),
                ]))
    }

    @Test("an ack lost by a failing disk is sent again, and no timer runs for a left member")
    func ackLostOnFailingDisk() throws {
        try endsWell(
            Schedule(
                seed: 5_258_187_417, owners: [0, 0, 0],
                skews: [-1553, -1950, 2_207_520_000_000], latency: 5,
                steps: [
                    Step(.establish, 0, 0, 0, salt: 0x8c93_1d69_b3b4_b6e6),
                    Step(.found, 2, 1, 0, salt: 0xe795_69a0_6927_75ca),
                    Step(.pass, 0, 0, 3500, salt: 0x57ea_6927_a7d7_855b),
                    Step(.relate, 1, 0, 0, salt: 0xca83_c856_8bc3_6cb5),
                    Step(.pass, 0, 1, 3, salt: 0x8c5b_a9e5_1aac_9dd2),
                    Step(.reform, 0, 2, 0, salt: 0x3d87_8cc5_0ac3_ec13),
                    Step(.leave, 1, 2, 0, salt: 0xcb7b_08de_a897_246b),
                    Step(.pass, 0, 1, 40000, salt: 0xee3e_02bd_c8e3_c564),
                    Step(.failingDisk, 2, 1, 0, salt: 0x4f24_da0f_2238_04cc),
                    Step(.revoke, 0, 1, 0, salt: 0xc0af_9434_0047_1795),
                    Step(.pass, 2, 0, 300, salt: 0xda88_e094_02bf_d16a),
                    Step(.cut, 1, 0, 0, salt: 0x464e_6fcd_9dfb_afc2),
                    Step(.cut, 2, 0, 0, salt: 0xac65_f23e_0f52_1b58),
                    Step(.pass, 1, 2, 300, salt: 0x866e_74eb_3f5b_f155),
                ]))
    }

    @Test("a file lost and returned before the others were told is requested again")
    func lostForAMoment() throws {
        try endsWell(
            Schedule(
                seed: 70_037_892, owners: [0, 0], skews: [908, 1941], latency: 5,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0xe5b3_2306_1d31_60c5),
                    Step(.found, 1, 0, 0, salt: 0x42e3_b4cc_7f26_f308),
                    Step(.photo, 0, 1, 0, salt: 0x5b7b_550f_ecb1_b225),
                    Step(.pass, 0, 1, 3000, salt: 0x35b6_609a_8b8b_0e52),
                    Step(.photo, 1, 0, 0, salt: 0xda31_b231_acc6_7789),
                    Step(.loseFile, 1, 0, 0, salt: 0xa687_e793_d7b7_18cf),
                ]))
    }

    @Test("a lost file added to another space counts again in the space that lost it")
    func addedElsewhere() throws {
        try endsWell(
            Schedule(
                seed: 70_046_626, owners: [0, 0, 1, 1], skews: [1908, 1_500_098, -686, -1865],
                latency: 20,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x11c3_7b57_50bf_c750),
                    Step(.found, 0, 1, 0, salt: 0x7245_493c_29e6_c4f0),
                    Step(.photo, 0, 0, 0, salt: 0x51e6_2227_cf87_2de0),
                    Step(.loseFile, 0, 3, 0, salt: 0xfb18_c94a_2667_9d2b),
                    Step(.pass, 2, 1, 3000, salt: 0x28d7_5c5f_6af8_24ba),
                    Step(.photo, 0, 0, 0, salt: 0x66ec_4e77_f446_73c4),
                ]))
    }

    @Test("two quarrelling admins do not cut others' commits that both have")
    func quarrel() throws {
        try endsWell(
            Schedule(
                seed: 70_053_621, owners: [0, 1, 1], skews: [982, 1_468_651, -1437], latency: 1,
                steps: [
                    Step(.found, 0, 2, 0, salt: 0x33b7_e95d_5ad3_7dfd),
                    Step(.grant, 0, 1, 0, salt: 0x6f34_1ee1_1a62_c433),
                    Step(.grant, 0, 2, 0, salt: 0xcf5d_ab5c_fcda_2655),
                    Step(.crash, 0, 1, 0, salt: 0x62bc_89e5_294f_b960),
                    Step(.pass, 0, 2, 3000, salt: 0xf459_c4c6_bea7_3aaf),
                    Step(.photo, 1, 0, 0, salt: 0x9ac8_5ff9_842c_0205),
                    Step(.quarrel, 2, 0, 0, salt: 0x894a_9493_78cc_dd6d),
                ]))
    }

    @Test("devices readmitted by an exchange of the recovery key receive the keys")
    func exchanged() throws {
        try endsWell(
            Schedule(
                seed: 35_268_736_395, owners: [0, 0], skews: [-1944, 534], latency: 1,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0xddfb_4929_b2c5_8892),
                    Step(.encrypt, 0, 0, 0, salt: 0xfd02_7ec8_210d_a3f6),
                    Step(.steal, 0, 0, 0, salt: 0xd501_95cd_28b0_1a57),
                    Step(.pass, 1, 0, 300, salt: 0x359b_c871_73a1_97f4),
                    Step(.pass, 0, 1, 300, salt: 0x2222_09b5_01f7_6955),
                    Step(.exchange, 1, 0, 0, salt: 0xa4cf_376b_4da1_b981),
                ]))
    }

    @Test("a key's statement counts even if its commit arrived as part of a branch")
    func saidInBranch() throws {
        try endsWell(
            Schedule(
                seed: 91_004_244, owners: [0, 0, 0, 1, 0, 2],
                skews: [1772, -315_360_000_000, -1898, -90, -1896, -1119], latency: 5,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0x1196_80d6_e447_4fe0),
                    Step(.copy, 0, 0, 0, salt: 0x81da_858b_8d33_b3b6),
                    Step(.steal, 0, 4, 0, salt: 0xee19_e18d_b39f_be4b),
                    Step(.pass, 4, 0, 40000, salt: 0xfb3b_728b_33a0_df7f),
                    Step(.rollBack, 0, 5, 0, salt: 0x8b98_5a02_2ab2_ba3c),
                    Step(.pass, 0, 4, 40000, salt: 0xa829_180b_533f_b3d2),
                    Step(.write, 4, 5, 0, salt: 0x7659_5f5a_8e61_c76b),
                ]))
    }

    @Test("a vault proves to an admin's restored device that its log forked")
    func vaultShowsFork() throws {
        try endsWell(
            Schedule(
                seed: 27_171_057_929, owners: [0, 1], skews: [3_385_522, -315_360_000_000],
                latency: 150,
                steps: [
                    Step(.found, 0, 0, 0, salt: 0xe205_dfba_5264_46de),
                    Step(.copy, 0, 0, 0, salt: 0xbedd_c1f9_7a09_ac7b),
                    Step(.encrypt, 0, 0, 0, salt: 0x6b13_3335_50ac_3116),
                    Step(.carry, 0, 1, 0, salt: 0xd782_c410_231e_3bdd),
                    Step(.pass, 1, 0, 40000, salt: 0xba92_9556_65f2_14d2),
                    Step(.rollBack, 0, 1, 0, salt: 0x8a02_d1fd_7d46_9a63),
                    Step(.grant, 0, 1, 0, salt: 0xe5db_be52_f2d4_3c36),
                ]))
    }

    @Test("a member that is lost with another one is given no key by a device that never met it")
    func lostThroughAnother() throws {
        try endsWell(
            Schedule(
                seed: 66_745_973_279, owners: [0, 1, 2, 0], skews: [-220, 166_302, 1008, 1499],
                latency: 1,
                steps: [
                    Step(.establish, 0, 0, 0, salt: 0xf223_26c1_867d_9d29),
                    Step(.grant, 0, 1, 0, salt: 0x677e_d90e_3bb3_3bd1),
                    Step(.grant, 0, 2, 0, salt: 0xbd4d_472d_4c1e_0436),
                    Step(.encrypt, 0, 0, 0, salt: 0xfa6a_85e0_76a8_7779),
                    Step(.backUp, 1, 0, 0, salt: 0x3fd5_832f_da68_f828),
                    Step(.pass, 0, 0, 3500, salt: 0x179b_07e1_9e71_9129),
                    Step(.putBack, 1, 0, 0, salt: 0x70bb_8af2_597c_21b6),
                    Step(.steal, 2, 0, 0, salt: 0x94d2_cc7c_145e_8736),
                ]))
    }

    @Test("the device of a person who removed their other device does not say so without end")
    func ownDeviceRemoved() throws {
        var schedule = Schedule(
            seed: 81_128_001_204, owners: [0, 1, 0], skews: [1545, 1889, -315_360_000_000],
            latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0xc178_1fdd_51a7_497e),
                Step(.grant, 0, 1, 0, salt: 0x4ca0_6103_12fc_67d5),
                Step(.pass, 0, 1, 3000, salt: 0x9c7d_3416_1001_2359),
                Step(.revoke, 2, 1, 0, salt: 0xbe7a_bdcd_e859_d5d6),
                Step(.pass, 1, 0, 3000, salt: 0x356c_59cd_01c5_a61c),
                Step(.revoke, 0, 2, 0, salt: 0x591d_9ed8_8fca_9a5e),
                Step(.photo, 2, 1, 0, salt: 0x8021_3e7c_8d6a_c3d3),
                Step(.pass, 2, 0, 40000, salt: 0x3e7c_3f55_7f0b_a506),
                Step(.recover, 2, 0, 0, salt: 0x721d_63b6_56c1_962b),
            ])
        schedule.healsInPart = true
        try endsWell(schedule)
    }

    @Test("a device that hears who is lost before it receives the space asks again")
    func lossBeforeSpace() throws {
        try endsWell(
            Schedule(
                seed: 66_745_973_279, owners: [0, 1, 2, 0], skews: [-220, 166_302, 1008, 1499],
                latency: 1,
                steps: [
                    Step(.establish, 0, 0, 0, salt: 0xf223_26c1_867d_9d29),
                    Step(.grant, 0, 1, 0, salt: 0x677e_d90e_3bb3_3bd1),
                    Step(.grant, 0, 2, 0, salt: 0xbd4d_472d_4c1e_0436),
                    Step(.encrypt, 0, 0, 0, salt: 0xfa6a_85e0_76a8_7779),
                    Step(.backUp, 1, 0, 0, salt: 0x3fd5_832f_da68_f828),
                    Step(.pass, 0, 0, 3500, salt: 0x179b_07e1_9e71_9129),
                    Step(.putBack, 1, 0, 0, salt: 0x70bb_8af2_597c_21b6),
                    Step(.arrange, 2, 3, 0, salt: 0x0c8e_f4b6_15e5_15c9),
                    Step(.spoil, 2, 0, 0, salt: 0xe5d6_3d12_72ae_23fd),
                    Step(.steal, 2, 0, 0, salt: 0x94d2_cc7c_145e_8736),
                ]))
    }

    @Test("a change is missed where the database has another one in its place")
    func otherBranchPutBack() throws {
        var schedule = Schedule(
            seed: 1_159_064_601, owners: [0, 1], skews: [-315_360_000_000, -3_219_584],
            latency: 1, outdated: [1],
            steps: [
                Step(.establish, 0, 0, 0, salt: 0x32d5_d10c_b6b7_4748),
                Step(.grant, 0, 1, 0, salt: 0x53a4_ecb1_d40f_bd1a),
                Step(.steal, 0, 1, 0, salt: 0x8713_c749_3399_7410),
                Step(.copy, 0, 0, 0, salt: 0x530e_e1c1_7f1b_9965),
                Step(.redate, 0, 1, 0, salt: 0xe0f2_ce82_be08_87f3),
                Step(.copy, 0, 0, 0, salt: 0xbb89_008e_8836_db6b),
                Step(.rollBack, 0, 1, 0, salt: 0x6bf6_0c51_ec40_5c7c),
                Step(.rob, 0, 1, 0, salt: 0x3fdb_e5f8_de4d_83b7),
                Step(.spoil, 0, 0, 0, salt: 0x259a_ad8d_9e3e_9500),
            ])
        schedule.healsInPart = true
        try endsWell(schedule)
    }

    @Test("an invitation that was declined is not shown again by an older database")
    func declinedBeforeLoss() throws {
        var schedule = Schedule(
            seed: 81_140_013_521, owners: [0, 1, 2], skews: [1775, 1010, -1235],
            roles: [.honest, .forker, .honest], latency: 1,
            steps: [
                Step(.establish, 0, 0, 0, salt: 0xf82a_65b1_16e0_af17),
                Step(.found, 2, 1, 0, salt: 0x1a90_8449_1603_0881),
                Step(.copy, 1, 0, 0, salt: 0x6f84_a29d_05bd_bdca),
                Step(.grant, 0, 2, 0, salt: 0x84ab_de96_cb6f_c5bc),
                Step(.backUp, 2, 0, 0, salt: 0x3534_e7d2_8286_29fe),
                Step(.putBack, 2, 0, 0, salt: 0xc890_7431_49cb_9308),
                Step(.pass, 0, 0, 3500, salt: 0x86ea_dd2c_6b6c_531d),
                Step(.relate, 0, 2, 0, salt: 0x52cf_3b3f_febf_5d2b),
                Step(.putBack, 2, 0, 0, salt: 0xcb0f_4fa8_1d1a_a26b),
                Step(.pass, 0, 2, 3, salt: 0x6d43_116c_177d_6fdc),
                Step(.rollBack, 1, 0, 0, salt: 0x7f3e_d93b_ddcf_79e7),
                Step(.recover, 0, 1, 0, salt: 0x4475_cd83_2ddf_dc9e),
                Step(.pass, 2, 0, 3000, salt: 0xeaf0_ed78_f933_13a6),
                Step(.spoil, 2, 0, 0, salt: 0xc347_2f94_d14f_6c75),
            ])
        schedule.healsInPart = true
        try endsWell(schedule)
    }
}
