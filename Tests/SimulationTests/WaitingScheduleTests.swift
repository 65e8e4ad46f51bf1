import SyncSimulator
import Testing

/// Reduced schedules in which a device waited for something that nobody gave it.
@Suite("Schedules that ended in waiting", .timeLimit(.minutes(5)))
struct WaitingScheduleTests {
    @Test("a sync ends on a device that a space was taken from")
    func taken() throws {
        let schedule = Schedule(
            seed: 11, owners: [0, 1], skews: [480, 1982], latency: 1,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x5729_2b78_3b1a_c976),
                Step(.grant, 0, 1, 0, salt: 0x4114_efd7_eabd_0c1d),
                Step(.pass, 1, 0, 40000, salt: 0x4c1_402e_75ab_9b6e),
                Step(.backUp, 1, 0, 0, salt: 0xc223_357d_3d96_8f3a),
                Step(.rob, 0, 1, 0, salt: 0xaa13_8972_5596_2df5),
            ])
        try endsWell(schedule)
    }

    @Test("a sync ends although a space that was accepted never comes")
    func neverComes() throws {
        let schedule = Schedule(
            seed: 98, owners: [0, 1], skews: [-315_360_000_000, 664_940], latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x1ef9_fc24_df3b_a96c),
                Step(.found, 0, 1, 0, salt: 0x8bf_f752_b65a_365a),
                Step(.leave, 0, 1, 0, salt: 0x5971_133e_4ebd_20e0),
                Step(.grant, 0, 1, 0, salt: 0x572_4377_2a1b_836a),
                Step(.revoke, 0, 1, 0, salt: 0x81ba_7a04_048b_f56a),
                Step(.pass, 0, 0, 3000, salt: 0x76a6_5927_fb5a_1e3a),
            ])
        try endsWell(schedule)
    }

    @Test("a sync ends beside a device that lacks a file which nobody waits for")
    func unneeded() throws {
        var schedule = Schedule(
            seed: 85, owners: [0, 1, 2], skews: [-535, 1086, 89], latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x2560_4bea_51e3_7409),
                Step(.grant, 0, 1, 0, salt: 0x23ab_aecf_b9a1_82eb),
                Step(.photo, 0, 0, 0, salt: 0x9bac_24cd_31a4_044f),
                Step(.free, 1, 1, 0, salt: 0x8155_9be4_bf92_0c27),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }

    @Test("a sync ends beside a vault that may not have a file")
    func vault() throws {
        let schedule = Schedule(
            seed: 80, owners: [0, 1, 0, 2],
            skews: [-315_360_000_000, -1244, 820, -315_360_000_000], latency: 1,
            steps: [
                Step(.found, 0, 0, 0, salt: 0xa08c_c9fa_5de9_070d),
                Step(.photo, 0, 2, 0, salt: 0x1803_82b7_54f3_0594),
                Step(.encrypt, 0, 0, 0, salt: 0x5e3a_cb28_af97_4e2f),
                Step(.carry, 0, 3, 0, salt: 0x3d21_57cc_7d35_05f2),
                Step(.silence, 2, 0, 0, salt: 0x84f9_a3e2_2ef7_0bfa),
            ])
        try endsWell(schedule)
    }

    @Test("a sync ends after a file was named that counts no more")
    func uncounted() throws {
        var schedule = Schedule(
            seed: 205, owners: [0, 0, 0, 1], skews: [631, 1870, -1215, -390], latency: 150,
            steps: [
                Step(.found, 0, 0, 0, salt: 0xf66e_4220_d443_8d1a),
                Step(.pass, 3, 0, 3000, salt: 0xde62_4cdd_9667_bf4b),
                Step(.photo, 2, 2, 0, salt: 0x3010_6f9a_e4b8_711a),
                Step(.rob, 0, 1, 0, salt: 0xa4c6_c11c_3e85_d722),
            ])
        schedule.healsInPart = true
        try endsWell(schedule)
    }

    @Test("a former vault asks for parts again once others know that it reads")
    func formerVault() throws {
        var schedule = Schedule(
            seed: 26_879_546_422, owners: [0, 1], skews: [-1732, 1183], latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0xe9f2_8841_6272_367f),
                Step(.copy, 0, 0, 0, salt: 0x5c00_4a0b_31b4_2313),
                Step(.encrypt, 0, 0, 0, salt: 0x247c_47c1_949d_c2f3),
                Step(.carry, 0, 1, 0, salt: 0x3c61_af9d_4f83_e7ab),
                Step(.compose, 0, 0, 0, salt: 0xfb3c_8640_2f65_8402),
                Step(.compose, 0, 0, 0, salt: 0xadc4_8641_7809_78ed),
                Step(.pass, 1, 0, 40000, salt: 0x82c8_f32b_d944_977e),
                Step(.grant, 0, 1, 0, salt: 0x8264_b924_f726_7002),
                Step(.recover, 0, 0, 0, salt: 0x64a_599c_874f_aac6),
                Step(.restore, 0, 1, 0, salt: 0x9100_bb69_9658_711f),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }

    @Test("a sync ends where the grant stands in a branch of the founder")
    func forkedGrant() throws {
        let schedule = Schedule(
            seed: 23_345_035_932, owners: [0, 1, 2, 2], skews: [1437, 135, 1555, 1613], latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x72ac_6700_fdd9_b579),
                Step(.copy, 0, 0, 0, salt: 0x9a6e_190f_4e48_9155),
                Step(.grant, 0, 3, 0, salt: 0xef99_22f1_23d7_c870),
                Step(.partition, 1, 2, 0, salt: 0xab59_62cd_117a_88e2),
                Step(.pass, 2, 0, 40000, salt: 0xb647_81db_854b_324f),
                Step(.rollBack, 0, 2, 0, salt: 0x5b66_be44_c06a_00ab),
                Step(.pass, 2, 1, 300, salt: 0x565d_d856_eaa2_4331),
                Step(.spoil, 0, 0, 0, salt: 0xb55d_d512_d21a_b9e8),
            ])
        try endsWell(schedule)
    }

    @Test("a sync ends on all whose grants stand in such a branch")
    func forkedGrants() throws {
        var schedule = Schedule(
            seed: 60_230_361_872, owners: [0, 1, 2, 2], skews: [-1261, 3, 315_360_000_000, 677],
            latency: 1,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x5a02_64f1_2dc8_2e8b),
                Step(.copy, 0, 0, 0, salt: 0xc61e_ebb2_b174_9164),
                Step(.grant, 0, 1, 0, salt: 0xd69a_bba1_eff7_2790),
                Step(.encrypt, 3, 0, 0, salt: 0xa5a6_bf7b_368a_07bf),
                Step(.encrypt, 0, 0, 0, salt: 0x8962_2518_07eb_cab5),
                Step(.grant, 0, 2, 0, salt: 0x444_8d77_d7e2_d4b4),
                Step(.pass, 0, 0, 3000, salt: 0xb2e8_c72d_c827_0909),
                Step(.write, 1, 3, 0, salt: 0x4cd2_cc71_3f66_0a13),
                Step(.crash, 0, 3, 0, salt: 0xf887_146e_ee04_d20d),
                Step(.write, 2, 0, 0, salt: 0x5ec6_bf81_178e_7ebf),
                Step(.pair, 1, 2, 0, salt: 0xc1e1_9f57_a6ee_18e4),
                Step(.rollBack, 0, 3, 0, salt: 0x3055_0afa_1eb0_5753),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }

    @Test("batches that wait for a full disk do not break the protocol")
    func fullQueue() throws {
        var schedule = Schedule(
            seed: 37_777_797_437, owners: [0, 0, 1, 2, 3, 4],
            skews: [233, 1892, 1220, -315_360_000_000, 1028, 551], latency: 5,
            steps: [
                Step(.establish, 0, 0, 0, salt: 0x39fc_0f59_a7e3_307e),
                Step(.grant, 0, 2, 0, salt: 0xb145_4c8c_e3f6_2bc1),
                Step(.grant, 0, 3, 0, salt: 0xeb98_d0ed_b14e_11f3),
                Step(.grant, 0, 4, 0, salt: 0xcdb4_c343_d5e4_fea7),
                Step(.grant, 0, 5, 0, salt: 0xe1ed_cb6d_fac8_20d8),
                Step(.revoke, 5, 0, 0, salt: 0x310f_0df7_bb27_098f),
                Step(.pass, 1, 0, 40000, salt: 0x99a4_4b79_d838_0bec),
                Step(.fullDisk, 4, 2, 0, salt: 0x7aa6_ce7b_b8ce_d7c2),
                Step(.relate, 1, 0, 0, salt: 0xeb54_8db9_0ba9_7593),
                Step(.arrange, 2, 0, 0, salt: 0xfeee_c394_d088_7920),
                Step(.quarrel, 5, 1, 0, salt: 0xd6_e6ce_7243_fc99),
                Step(.pass, 2, 1, 40000, salt: 0xb599_b5a6_147f_75c5),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }

    @Test("batches that wait for a full disk beside a lost device do not either")
    func fullQueueOnce() throws {
        var schedule = Schedule(
            seed: 60_737_866_145, owners: [0, 0, 0, 1, 1],
            skews: [-315_360_000_000, 1_696_421, -772, 527, 1592], latency: 5,
            steps: [
                Step(.establish, 0, 0, 0, salt: 0x8e9b_ed46_6c2d_235f),
                Step(.lose, 1, 0, 0, salt: 0x636e_59bd_c39c_2664),
                Step(.grant, 0, 4, 0, salt: 0x9498_c854_3b77_948c),
                Step(.pass, 2, 0, 3000, salt: 0x42f5_3b7c_019b_cc08),
                Step(.pass, 0, 0, 300, salt: 0x8cf_4b00_60c4_5bb0),
                Step(.edit, 2, 0, 0, salt: 0x1269_f1d4_3753_a4d7),
                Step(.pass, 2, 3, 30, salt: 0x6633_dccc_9575_d1c8),
                Step(.undo, 0, 3, 0, salt: 0x7163_98c0_5a4f_fffd),
                Step(.edit, 4, 1, 0, salt: 0x28e3_a903_8829_34f2),
                Step(.pass, 0, 3, 3, salt: 0xd161_52b8_635c_7591),
                Step(.fullDisk, 3, 2, 0, salt: 0x9fe4_26c7_cb40_a24a),
                Step(.pass, 4, 2, 40000, salt: 0xb027_2897_ae50_9aaf),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }

    @Test("an ack that is lost is made up for while another device comes and goes")
    func lostAck() throws {
        var schedule = Schedule(
            seed: 37_777_796_595, owners: [0, 1, 2, 2], skews: [1609, -1519, 681, -322], latency: 1,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x3df4_7f59_1b08_06f7),
                Step(.grant, 0, 1, 0, salt: 0xe8ec_1803_9059_c2ff),
                Step(.grant, 0, 2, 0, salt: 0xd846_bc66_3cbf_52bf),
                Step(.photo, 0, 0, 0, salt: 0x48ad_b011_b2ac_6c13),
                Step(.copy, 2, 0, 0, salt: 0x56d9_0fa6_11c7_2539),
                Step(.copy, 2, 0, 0, salt: 0xb2ef_481c_8ffa_acba),
                Step(.fray, 0, 2, 0, salt: 0xf83a_4b75_2391_a164),
                Step(.pass, 3, 1, 30, salt: 0x5d51_69e9_3c06_7d91),
                Step(.write, 1, 0, 0, salt: 0xf037_1b4c_a41a_f1f2),
                Step(.pass, 1, 2, 30, salt: 0xdde0_9a46_5973_5141),
                Step(.write, 2, 1, 0, salt: 0x4786_4769_55fa_9c01),
                Step(.pass, 3, 2, 300, salt: 0x1001_b1bf_0bd8_ca2f),
                Step(.write, 3, 1, 0, salt: 0x1062_c11d_8442_c23f),
                Step(.write, 3, 1, 0, salt: 0xaaef_df44_4f42_22c6),
                Step(.write, 0, 2, 0, salt: 0xfe07_43fe_063c_54c9),
                Step(.slow, 3, 1, 2276, salt: 0x1e54_f799_2506_e5b1),
                Step(.pass, 2, 0, 30, salt: 0x1427_31d3_0c85_c838),
                Step(.slow, 0, 1, 1204, salt: 0x154a_c08d_ec44_8036),
                Step(.pass, 1, 2, 3, salt: 0xbbc4_481b_bf77_b5c2),
                Step(.partition, 3, 1, 0, salt: 0x74e9_17d9_ba56_c51c),
                Step(.pass, 3, 0, 40000, salt: 0xdc45_175e_ad19_54ca),
                Step(.compose, 3, 0, 0, salt: 0x34ca_f6fa_0e6c_2de0),
                Step(.pass, 0, 0, 3000, salt: 0x75a7_9adb_cb1e_33f6),
                Step(.compose, 0, 0, 0, salt: 0x3777_911f_f68c_6006),
                Step(.compose, 3, 0, 0, salt: 0xa5e0_6360_ab2c_04cc),
                Step(.compose, 1, 0, 0, salt: 0x518c_e479_6733_f3c4),
                Step(.pass, 0, 0, 3000, salt: 0x4b3d_2a64_8167_fef6),
                Step(.quarrel, 3, 2, 0, salt: 0x4374_9ece_1c8f_9639),
                Step(.write, 1, 0, 0, salt: 0x42e1_e355_6812_45c8),
                Step(.write, 1, 3, 0, salt: 0x2f1c_a6f2_22ec_0b91),
                Step(.pass, 0, 1, 30, salt: 0xfe07_e79f_661e_5fda),
                Step(.restore, 2, 1, 0, salt: 0x7ca3_22d2_4d27_a642),
                Step(.write, 3, 0, 0, salt: 0x6e9c_2942_8c72_4d68),
                Step(.pass, 1, 2, 3, salt: 0x6850_1b93_a016_2f88),
                Step(.find, 2, 3, 0, salt: 0x6be2_ef07_1cfb_327a),
                Step(.rollBack, 2, 0, 0, salt: 0x275e_216b_7a4b_b754),
                Step(.write, 2, 0, 0, salt: 0xfd8f_46a4_1547_6087),
                Step(.join, 0, 3, 0, salt: 0xc888_b307_edd4_3389),
                Step(.apply, 1, 0, 0, salt: 0xbc82_891c_858e_d6f3),
                Step(.reset, 1, 1, 0, salt: 0x4753_9be0_3b3d_1e25),
                Step(.write, 2, 3, 0, salt: 0x8480_a1a2_43ce_0767),
            ])
        schedule.healsInPart = true
        try endsWell(schedule)
    }

    @Test("a sync ends where it was told that a space is taken while it was on its way")
    func takenOnItsWay() throws {
        var schedule = Schedule(
            seed: 41_935_531_463, owners: [0, 0, 1, 1, 2, 3],
            skews: [-315_360_000_000, 1633, 860, -341, 987, -1176], latency: 150,
            steps: [
                Step(.establish, 0, 0, 0, salt: 0xa1b8_24ea_b712_1393),
                Step(.grant, 0, 1, 0, salt: 0x4871_8c18_dd22_b29a),
                Step(.grant, 0, 2, 0, salt: 0x6fde_c584_d92a_a138),
                Step(.grant, 0, 3, 0, salt: 0x7dd_e459_7f46_1ae4),
                Step(.undo, 2, 3, 0, salt: 0x6f5e_6d38_3412_bbe6),
                Step(.grant, 0, 4, 0, salt: 0x415_242d_badc_763f),
                Step(.grant, 3, 5, 0, salt: 0xa5ae_4e64_3262_733b),
                Step(.pass, 1, 4, 300, salt: 0x8a55_8abe_87f4_9b80),
                Step(.reform, 2, 1, 0, salt: 0x88c2_cc69_d813_c202),
                Step(.grant, 1, 0, 0, salt: 0xad28_22fb_8641_e96c),
                Step(.revoke, 4, 5, 0, salt: 0x1deb_78b3_4182_774b),
                Step(.encrypt, 0, 0, 0, salt: 0x79c7_7a32_35ab_ef65),
                Step(.pass, 1, 2, 30, salt: 0xffd2_4de9_cd9f_cc48),
                Step(.arrange, 0, 2, 0, salt: 0x67f2_b71e_24e1_edd6),
                Step(.backUp, 1, 0, 0, salt: 0x67d6_1618_50ef_8fbd),
                Step(.pass, 4, 5, 3000, salt: 0x771_87d1_e14c_ac11),
                Step(.leave, 0, 4, 0, salt: 0x39c2_b841_1f22_2c92),
                Step(.putBack, 1, 0, 0, salt: 0x67a8_fac2_697a_0061),
                Step(.edit, 4, 5, 0, salt: 0xecea_15c2_e1b2_ada1),
                Step(.arrange, 2, 4, 0, salt: 0x32fc_e7a3_60f3_0dfc),
                Step(.pass, 1, 3, 3000, salt: 0x7ffb_216e_3b2f_c434),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }
}
