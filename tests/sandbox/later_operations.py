"""Operations of statistics, roads, filings and the later Assembly lists, for tests that try each of them."""

LATER = {
    "assembly.BILLJUDGECONF", "assembly.PTTINFODETAIL", "assembly.PTTRCP", "assembly.VCONFBILLLIST",
    "assembly.VCONFDETAIL", "assembly.ncwgseseafwbuheph", "assembly.nexgtxtmaamffofof", "assembly.nknalejkafmvgzmpt",
    "assembly.nqfvrbsdafrmuzixe", "assembly.nttmdfdcaakvibdar", "assembly.nzbyfwhwaoanttzje", "dart.document",
    "dart.fnlttMultiAcnt", "dart.fnlttXbrl", "ex.realUnitTrtm", "ex.trafficIc", "fsc.getCorpOutline_V2",
    "fsc.getItemInfo", "fsc.getStockPriceInfo", "its.eventInfo", "its.trafficInfo", "its.vdsInfo", "kakao.address",
    "kakao.category", "kakao.coord2regioncode", "kakao.keyword", "kosis.data", "kosis.list", "kosis.meta_itm",
    "kosis.meta_prd", "kosis.search", "krx.stk_isu_base_info", "law.decc_detail", "law.decc_search",
    "law.linked_ordin_by_law", "law.ordin_detail", "lofin.AJGCF", "lofin.QWGJK", "nec.getPartyPlcInfoInqire",
    "rone.SttsApiTbl", "rone.SttsApiTblData", "schoolinfo.openApi", "seoul.AccInfo", "seoul.SPOP_LOCAL_RESD_DONG",
    "seoul.TrafficInfo", "seoul.bikeList", "seoul.tbCycleStationInfo", "sgis.auth", "sgis.hadmarea",
}  # fmt: skip
