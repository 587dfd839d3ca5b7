/**
 * Every function of the engine (chdb 3.4, ClickHouse 26.7), reviewed by family. Names from `system.functions`; the test
 * beside this file lists what a new version of the engine adds. A name in neither list is refused.
 */
export type FunctionFamily = {
  readonly family: string
  /** Why the family is open to user queries, or why not. */
  readonly reason: string
  /** Names as the engine spells them, aliases among them, separated by spaces. */
  readonly names: string
}

/** The family whose names take the engine's combinators behind them: `sumIf`, `uniqArray`. */
export const AGGREGATES = 'Aggregates'

/** Combinators of aggregate functions, from `system.aggregate_function_combinators`. All compute from the same rows. */
export const COMBINATORS =
  'Array Distinct ForEach If Map Merge Null OrDefault OrNull Resample SimpleState State Tuple ArgMax ArgMin'.split(
    ' ',
  )

/** Functions that take another function as their first argument, by `system.functions.higher_order`. */
export const HIGHER_ORDER = `
  arrayAll arrayAvg arrayBottomK arrayCompact arrayCount arrayCumSum arrayCumSumNonNegative arrayDifference arrayExists
  arrayFill arrayFilter arrayFirst arrayFirstIndex arrayFirstOrNull arrayFold arrayLast arrayLastIndex arrayLastOrNull
  arrayMap arrayMax arrayMin arrayPartialReverseSort arrayPartialSort arrayProduct arrayReverseFill arrayReverseSort
  arrayReverseSplit arraySort arraySplit arraySum arrayTopK mapAll mapApply mapExists mapFilter mapPartialReverseSort
  mapPartialSort mapReverseSort mapSort
`

/** Families open to user queries: each result depends on the arguments, the clock and chance alone. */
export const OPEN_FAMILIES: readonly FunctionFamily[] = [
  {
    family: 'Aggregates',
    reason: 'Compute one value from many rows.',
    names: `
      analysisOfVariance anova any any_respect_nulls any_value any_value_respect_nulls anyHeavy anyLast
      anyLast_respect_nulls anyLastRespectNulls anyRespectNulls anyValueRespectNulls approx_top_count
      approx_top_k approx_top_sum argAndMax argAndMin argMax argMin array_agg array_concat_agg avg avgWeighted
      BIT_AND BIT_OR BIT_XOR boundingRatio categoricalInformationValue contingency corr
      corrMatrix corrStable count COVAR_POP COVAR_SAMP covarPop covarPopMatrix covarPopStable covarSamp
      covarSampMatrix covarSampStable cramersV cramersVBiasCorrected cume_dist deltaSum deltaSumTimestamp
      dense_rank denseRank distinctDynamicTypes distinctJSONPaths distinctJSONPathsAndTypes entropy
      estimateCompressionRatio exponentialMovingAverage exponentialTimeDecayedAvg exponentialTimeDecayedCount
      exponentialTimeDecayedMax exponentialTimeDecayedSum first_value first_value_respect_nulls
      firstValueRespectNulls group_concat groupArray groupArrayInsertAt groupArrayIntersect groupArrayLast
      groupArrayMovingAvg groupArrayMovingSum groupArraySample groupArraySorted groupBitAnd groupBitmap
      groupBitmapAnd groupBitmapOr groupBitmapXor groupBitOr groupBitXor groupConcat groupUniqArray histogram
      intervalLengthSum kolmogorovSmirnovTest kurtPop kurtSamp lag lagInFrame largestTriangleThreeBuckets
      last_value last_value_respect_nulls lastValueRespectNulls lead leadInFrame lttb mannWhitneyUTest max
      max_by maxIntersections maxIntersectionsPosition maxMappedArrays meanZTest median medianBFloat16
      medianBFloat16Weighted medianDD medianDeterministic medianExact medianExactHigh medianExactLow
      medianExactWeighted medianExactWeightedInterpolated medianGK medianInterpolatedWeighted medianTDigest
      medianTDigestWeighted medianTiming medianTimingWeighted min min_by minMappedArrays nonNegativeDerivative
      nth_value ntile percent_rank percentRank quantile quantileBFloat16 quantileBFloat16Weighted quantileDD
      quantileDeterministic quantileExact quantileExactExclusive quantileExactHigh quantileExactInclusive
      quantileExactLow quantileExactWeighted quantileExactWeightedInterpolated quantileGK
      quantileInterpolatedWeighted quantilePrometheusHistogram quantiles quantilesBFloat16
      quantilesBFloat16Weighted quantilesDD quantilesDeterministic quantilesExact quantilesExactExclusive
      quantilesExactHigh quantilesExactInclusive quantilesExactLow quantilesExactWeighted
      quantilesExactWeightedInterpolated quantilesGK quantilesInterpolatedWeighted
      quantilesPrometheusHistogram quantilesTDigest quantilesTDigestWeighted quantilesTiming
      quantilesTimingWeighted quantileTDigest quantileTDigestWeighted quantileTiming quantileTimingWeighted
      rank rankCorr retention row_number sequenceCount sequenceMatch sequenceMatchEvents sequenceNextNode
      simpleLinearRegression singleValueOrNull skewPop skewSamp sparkBar sparkbar STD STDDEV STDDEV_POP
      STDDEV_SAMP stddevPop stddevPopStable stddevSamp stddevSampStable string_agg studentTTest
      studentTTestOneSample sum sumCount sumKahan sumMapFiltered sumMapFilteredWithOverflow sumMappedArrays
      sumMapWithOverflow sumWithOverflow theilsU timeSeriesChangesToGrid timeSeriesDeltaToGrid
      timeSeriesDerivToGrid timeSeriesGroupArray timeSeriesIncreaseToGrid timeSeriesInstantDeltaToGrid
      timeSeriesInstantRateToGrid timeSeriesLastToGrid timeSeriesLastTwoSamples timeSeriesPredictLinearToGrid
      timeSeriesRateToGrid timeSeriesResampleToGridWithStaleness timeSeriesResetsToGrid topK topKWeighted uniq
      uniqCombined uniqCombined64 uniqExact uniqHLL12 uniqUpTo VAR_POP VAR_SAMP varPop varPopStable varSamp
      varSampStable welchTTest windowFunnel
    `,
  },
  {
    family: 'Arithmetic',
    reason: 'Compute numbers from numbers.',
    names: `
      abs avg2 byteSwap divide divideDecimal divideOrNull gcd ifNotFinite intDiv intDivOrNull intDivOrZero
      isFinite isInfinite isNaN lcm max2 midpoint min2 minus mod modOrNull modulo moduloLegacy moduloOrNull
      moduloOrZero multiply multiplyDecimal negate plus pmod pmodOrNull positive_modulo
      positive_modulo_or_null positiveModulo positiveModuloOrNull sqr
    `,
  },
  {
    family: 'Arrays',
    reason: 'Read and build arrays; their size counts against the memory limit.',
    names: `
      array array_remove arrayAll arrayAUC arrayAUCPR arrayAutocorrelation arrayAvg arrayBottomK arrayCompact
      arrayConcat arrayCount arrayCumSum arrayCumSumNonNegative arrayDifference arrayDistinct arrayDotProduct
      arrayElement arrayElementOrNull arrayEnumerate arrayEnumerateDense arrayEnumerateDenseRanked
      arrayEnumerateUniq arrayEnumerateUniqRanked arrayExcept arrayExists arrayFill arrayFilter arrayFirst
      arrayFirstIndex arrayFirstOrNull arrayFlatten arrayFold arrayIntersect arrayJaccardIndex arrayJoin
      arrayLast arrayLastIndex arrayLastOrNull arrayMap arrayMax arrayMin arrayNormalizedGini
      arrayPartialReverseSort arrayPartialShuffle arrayPartialSort arrayPopBack arrayPopFront arrayPRAUC
      arrayProduct arrayPushBack arrayPushFront arrayRandomSample arrayReduce arrayReduceInRanges arrayRemove
      arrayResize arrayReverse arrayReverseFill arrayReverseSort arrayReverseSplit arrayROCAUC arrayRotateLeft
      arrayRotateRight arrayShiftLeft arrayShiftRight arrayShingles arrayShuffle arraySlice arraySort
      arraySplit arraySum arrayTopK arrayTranspose arrayUnion arrayUniq arrayWithConstant arrayZip
      arrayZipUnaligned CARDINALITY countEqual empty emptyArrayDate emptyArrayDateTime emptyArrayFloat32
      emptyArrayFloat64 emptyArrayInt16 emptyArrayInt32 emptyArrayInt64 emptyArrayInt8 emptyArrayString
      emptyArrayToSingle emptyArrayUInt16 emptyArrayUInt32 emptyArrayUInt64 emptyArrayUInt8 flatten has hasAll
      hasAny hasSubstr indexOf indexOfAssumeSorted length notEmpty OCTET_LENGTH range replicate reverse unnest
    `,
  },
  {
    family: 'Bitmaps',
    reason: 'Compute sets of integers from sets of integers.',
    names: `
      bitmapAnd bitmapAndCardinality bitmapAndnot bitmapAndnotCardinality bitmapBuild bitmapCardinality
      bitmapContains bitmapHasAll bitmapHasAny bitmapMax bitmapMin bitmapOr bitmapOrCardinality
      bitmapSubsetInRange bitmapSubsetLimit bitmapToArray bitmapTransform bitmapXor bitmapXorCardinality
      subBitmap
    `,
  },
  {
    family: 'Bits',
    reason: 'Compute numbers from the bits of numbers.',
    names: `
      bitAnd bitCount bitHammingDistance bitNot bitOr bitRotateLeft bitRotateRight bitShiftLeft bitShiftRight
      bitSlice bitTest bitTestAll bitTestAny bitXor
    `,
  },
  {
    family: 'Comparison',
    reason: 'Compare values. A table to the right of IN is checked like any other table.',
    names: `
      equals globalIn globalInIgnoreSet globalNotIn globalNotInIgnoreSet globalNotNullIn
      globalNotNullInIgnoreSet globalNullIn globalNullInIgnoreSet greater greaterOrEquals in inIgnoreSet
      isDistinctFrom isNotDistinctFrom less lessOrEquals notEquals notIn notInIgnoreSet notNullIn
      notNullInIgnoreSet nullIn nullInIgnoreSet
    `,
  },
  {
    family: 'Conditions',
    reason: 'Choose among their arguments.',
    names: `
      caseWithExpr caseWithExpression caseWithoutExpr caseWithoutExpression clamp greatest if least multiIf
    `,
  },
  {
    family: 'Conversion',
    reason: 'Convert a value to another type. The type must be a plain text.',
    names: `
      _CAST accurateCast accurateCastOrDefault accurateCastOrNull CAST DATE fromUnixTimestamp64Micro
      fromUnixTimestamp64Milli fromUnixTimestamp64Nano fromUnixTimestamp64Second parseDateTime
      parseDateTime32BestEffort parseDateTime32BestEffortOrNull parseDateTime32BestEffortOrZero
      parseDateTime64 parseDateTime64BestEffort parseDateTime64BestEffortOrNull
      parseDateTime64BestEffortOrZero parseDateTime64BestEffortUS parseDateTime64BestEffortUSOrNull
      parseDateTime64BestEffortUSOrZero parseDateTime64InJodaSyntax parseDateTime64InJodaSyntaxOrNull
      parseDateTime64InJodaSyntaxOrZero parseDateTime64OrNull parseDateTime64OrZero parseDateTimeBestEffort
      parseDateTimeBestEffortOrNull parseDateTimeBestEffortOrZero parseDateTimeBestEffortUS
      parseDateTimeBestEffortUSOrNull parseDateTimeBestEffortUSOrZero parseDateTimeInJodaSyntax
      parseDateTimeInJodaSyntaxOrNull parseDateTimeInJodaSyntaxOrZero parseDateTimeOrNull parseDateTimeOrZero
      reinterpret reinterpretAsDate reinterpretAsDateTime reinterpretAsFixedString reinterpretAsFloat32
      reinterpretAsFloat64 reinterpretAsInt128 reinterpretAsInt16 reinterpretAsInt256 reinterpretAsInt32
      reinterpretAsInt64 reinterpretAsInt8 reinterpretAsString reinterpretAsUInt128 reinterpretAsUInt16
      reinterpretAsUInt256 reinterpretAsUInt32 reinterpretAsUInt64 reinterpretAsUInt8 reinterpretAsUUID
      str_to_date TO_UNIXTIME toBFloat16 toBFloat16OrNull toBFloat16OrZero toBool toDate toDate32
      toDate32OrDefault toDate32OrNull toDate32OrZero toDateOrDefault toDateOrNull toDateOrZero toDateTime
      toDateTime32 toDateTime64 toDateTime64OrDefault toDateTime64OrNull toDateTime64OrZero
      toDateTimeOrDefault toDateTimeOrNull toDateTimeOrZero toDecimal128 toDecimal128OrDefault
      toDecimal128OrNull toDecimal128OrZero toDecimal256 toDecimal256OrDefault toDecimal256OrNull
      toDecimal256OrZero toDecimal32 toDecimal32OrDefault toDecimal32OrNull toDecimal32OrZero toDecimal64
      toDecimal64OrDefault toDecimal64OrNull toDecimal64OrZero toDecimalString toFixedString toFloat32
      toFloat32OrDefault toFloat32OrNull toFloat32OrZero toFloat64 toFloat64OrDefault toFloat64OrNull
      toFloat64OrZero toInt128 toInt128OrDefault toInt128OrNull toInt128OrZero toInt16 toInt16OrDefault
      toInt16OrNull toInt16OrZero toInt256 toInt256OrDefault toInt256OrNull toInt256OrZero toInt32
      toInt32OrDefault toInt32OrNull toInt32OrZero toInt64 toInt64OrDefault toInt64OrNull toInt64OrZero toInt8
      toInt8OrDefault toInt8OrNull toInt8OrZero toInterval toIntervalDay toIntervalHour toIntervalMicrosecond
      toIntervalMillisecond toIntervalMinute toIntervalMonth toIntervalNanosecond toIntervalQuarter
      toIntervalSecond toIntervalWeek toIntervalYear toLowCardinality toString toStringCutToZero toTime
      toTime64 toTime64OrNull toTime64OrZero toTimeOrNull toTimeOrZero toUInt128 toUInt128OrDefault
      toUInt128OrNull toUInt128OrZero toUInt16 toUInt16OrDefault toUInt16OrNull toUInt16OrZero toUInt256
      toUInt256OrDefault toUInt256OrNull toUInt256OrZero toUInt32 toUInt32OrDefault toUInt32OrNull
      toUInt32OrZero toUInt64 toUInt64OrDefault toUInt64OrNull toUInt64OrZero toUInt8 toUInt8OrDefault
      toUInt8OrNull toUInt8OrZero toUnixTimestamp64Micro toUnixTimestamp64Milli toUnixTimestamp64Nano
      toUnixTimestamp64Second toUUID toUUIDOrZero
    `,
  },
  {
    family: 'Dates and times',
    reason: 'Compute dates and times; the only fact they add is the time now.',
    names: `
      addDate addDays addHours addInterval addMicroseconds addMilliseconds addMinutes addMonths addNanoseconds
      addQuarters addSeconds addTupleOfIntervals addWeeks addYears age changeDay changeHour changeMinute
      changeMonth changeSecond changeYear curdate current_date current_timestamp date_bin DATE_DIFF date_diff
      DATE_FORMAT DATE_TRUNC dateDiff dateName dateTrunc DAY DAYOFMONTH DAYOFWEEK DAYOFYEAR formatDateTime
      formatDateTimeInJodaSyntax FROM_DAYS FROM_UNIXTIME from_utc_timestamp fromDaysSinceYearZero
      fromDaysSinceYearZero32 fromModifiedJulianDay fromModifiedJulianDayOrNull fromUnixTimestamp
      fromUnixTimestampInJodaSyntax fromUTCTimestamp HOUR LAST_DAY localtime localtimestamp makeDate
      makeDate32 makeDateTime makeDateTime64 MICROSECOND MILLISECOND MINUTE MONTH monthName NANOSECOND now
      now64 nowInBlock nowInBlock64 QUARTER SECOND serverTimeZone serverTimezone subDate subtractDays
      subtractHours subtractInterval subtractMicroseconds subtractMilliseconds subtractMinutes subtractMonths
      subtractNanoseconds subtractQuarters subtractSeconds subtractTupleOfIntervals subtractWeeks
      subtractYears time_bucket timeDiff timeSlot timeSlots timestamp TIMESTAMP_DIFF timestamp_diff
      timestampDiff timeZone timezone timeZoneOf timezoneOf timeZoneOffset timezoneOffset TO_DAYS
      to_utc_timestamp today toDayOfMonth toDayOfWeek toDayOfYear toDaysInMonth toDaysSinceYearZero toHour
      toISOWeek toISOYear toLastDayOfMonth toLastDayOfWeek toMicrosecond toMillisecond toMinute
      toModifiedJulianDay toModifiedJulianDayOrNull toMonday toMonth toMonthNumSinceEpoch toNanosecond
      toQuarter toRelativeDayNum toRelativeHourNum toRelativeMinuteNum toRelativeMonthNum toRelativeQuarterNum
      toRelativeSecondNum toRelativeWeekNum toRelativeYearNum toSecond toStartOfDay toStartOfFifteenMinutes
      toStartOfFiveMinute toStartOfFiveMinutes toStartOfHour toStartOfInterval toStartOfISOYear
      toStartOfMicrosecond toStartOfMillisecond toStartOfMinute toStartOfMonth toStartOfNanosecond
      toStartOfQuarter toStartOfSecond toStartOfTenMinutes toStartOfWeek toStartOfYear toTimeWithFixedDate
      toTimeZone toTimezone toUnixTimestamp toUTCTimestamp toWeek toYear toYearNumSinceEpoch toYearWeek
      toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss UTC_timestamp UTCTimestamp week YEAR yearweek yesterday
      YYYYMMDDhhmmssToDateTime YYYYMMDDhhmmssToDateTime64 YYYYMMDDToDate YYYYMMDDToDate32
    `,
  },
  {
    family: 'Distances',
    reason: 'Compute numbers from arrays and tuples of numbers.',
    names: `
      cosineDistance distanceCosine distanceL1 distanceL2 distanceL2Squared distanceLinf distanceLp L1Distance
      L1Norm L1Normalize L2Distance L2Norm L2Normalize L2SquaredDistance L2SquaredNorm LinfDistance LinfNorm
      LinfNormalize LpDistance LpNorm LpNormalize normalizeL1 normalizeL2 normalizeLinf normalizeLp normL1
      normL2 normL2Squared normLinf normLp
    `,
  },
  {
    family: 'Encoding',
    reason: 'Convert between bytes and text.',
    names: `
      bin bitmaskToArray bitmaskToList bitPositionsToArray char hex hilbertDecode hilbertEncode mortonDecode
      mortonEncode sqid sqidDecode sqidEncode unbin unhex
    `,
  },
  {
    family: 'Finance',
    reason: 'Compute rates and present values from arrays of numbers.',
    names: `
      financialInternalRateOfReturn financialInternalRateOfReturnExtended financialNetPresentValue
      financialNetPresentValueExtended
    `,
  },
  {
    family: 'Hashes',
    reason: 'Compute digests of their arguments.',
    names: `
      cityHash64 farmFingerprint64 farmHash64 gccMurmurHash halfMD5 hiveHash HMAC icebergHash intHash32
      intHash64 javaHash javaHashUTF16LE jumpConsistentHash kafkaMurmurHash keccak256 kostikConsistentHash MD4
      MD5 metroHash64 murmurHash2_32 murmurHash2_64 murmurHash3_128 murmurHash3_32 murmurHash3_64 ngramMinHash
      ngramMinHashArg ngramMinHashArgCaseInsensitive ngramMinHashArgCaseInsensitiveUTF8 ngramMinHashArgUTF8
      ngramMinHashCaseInsensitive ngramMinHashCaseInsensitiveUTF8 ngramMinHashUTF8 ngramSimHash
      ngramSimHashCaseInsensitive ngramSimHashCaseInsensitiveUTF8 ngramSimHashUTF8 RIPEMD160 SHA1 SHA224
      SHA256 SHA384 SHA512 SHA512_256 sipHash128 sipHash128Keyed sipHash128Reference sipHash128ReferenceKeyed
      sipHash64 sipHash64Keyed URLHash wordShingleMinHash wordShingleMinHashArg
      wordShingleMinHashArgCaseInsensitive wordShingleMinHashArgCaseInsensitiveUTF8 wordShingleMinHashArgUTF8
      wordShingleMinHashCaseInsensitive wordShingleMinHashCaseInsensitiveUTF8 wordShingleMinHashUTF8
      wordShingleSimHash wordShingleSimHashCaseInsensitive wordShingleSimHashCaseInsensitiveUTF8
      wordShingleSimHashUTF8 wyHash64 xxh3 xxh3_128 xxHash32 xxHash64 xxHash64Spark yandexConsistentHash
    `,
  },
  {
    family: 'IP addresses',
    reason: 'Convert addresses between text and numbers. None looks one up.',
    names: `
      cutIPv6 INET6_ATON INET6_NTOA INET_ATON INET_NTOA IPv4CIDRToRange IPv4NumToString IPv4NumToStringClassC
      IPv4StringToNum IPv4StringToNumOrDefault IPv4StringToNumOrNull IPv4ToIPv6 IPv6CIDRToRange
      IPv6NumToString IPv6StringToNum IPv6StringToNumOrDefault IPv6StringToNumOrNull isIPAddressInRange
      isIPv4String isIPv6String toIPv4 toIPv4OrDefault toIPv4OrNull toIPv4OrZero toIPv6 toIPv6OrDefault
      toIPv6OrNull toIPv6OrZero
    `,
  },
  {
    family: 'JSON',
    reason: 'Read JSON from text.',
    names: `
      dynamicElement dynamicType isDynamicElementInSharedData isValidJSON JSON_ARRAY_LENGTH JSON_EXISTS
      JSON_QUERY JSON_VALUE JSONAllPaths JSONAllPathsWithTypes JSONAllValues JSONArrayLength JSONDynamicPaths
      JSONDynamicPathsWithTypes JSONExtract JSONExtractArrayRaw JSONExtractArrayRawCaseInsensitive
      JSONExtractBool JSONExtractBoolCaseInsensitive JSONExtractCaseInsensitive JSONExtractFloat
      JSONExtractFloatCaseInsensitive JSONExtractInt JSONExtractIntCaseInsensitive JSONExtractKeys
      JSONExtractKeysAndValues JSONExtractKeysAndValuesCaseInsensitive JSONExtractKeysAndValuesRaw
      JSONExtractKeysAndValuesRawCaseInsensitive JSONExtractKeysCaseInsensitive JSONExtractRaw
      JSONExtractRawCaseInsensitive JSONExtractString JSONExtractStringCaseInsensitive JSONExtractUInt
      JSONExtractUIntCaseInsensitive JSONHas JSONKey JSONLength JSONMergePatch jsonMergePatch
      JSONSharedDataPaths JSONSharedDataPathsWithTypes JSONType prettyPrintJSON simpleJSONExtractBool
      simpleJSONExtractFloat simpleJSONExtractInt simpleJSONExtractRaw simpleJSONExtractString
      simpleJSONExtractUInt simpleJSONHas toJSONString visitParamExtractBool visitParamExtractFloat
      visitParamExtractInt visitParamExtractRaw visitParamExtractString visitParamExtractUInt visitParamHas
    `,
  },
  {
    family: 'Logic',
    reason: 'Combine conditions.',
    names: `
      and not or xor
    `,
  },
  {
    family: 'Maps',
    reason: 'Read and build maps; their size counts against the memory limit.',
    names: `
      extractKeyValuePairs extractKeyValuePairsWithEscaping map MAP_FROM_ARRAYS mapAdd mapAll mapApply
      mapConcat mapContains mapContainsKey mapContainsKeyLike mapContainsValue mapContainsValueLike mapExists
      mapExtractKeyLike mapExtractValueLike mapFilter mapFromArrays mapFromString mapKeys
      mapPartialReverseSort mapPartialSort mapPopulateSeries mapReverseSort mapSort mapSubtract mapUpdate
      mapValues str_to_map
    `,
  },
  {
    family: 'Mathematics',
    reason: 'Compute numbers from numbers.',
    names: `
      acos acosh asin asinh atan atan2 atanh cbrt cos cosh degrees e erf erfc exp exp10 exp2 factorial hypot
      intExp10 intExp2 isPrime isProbablePrime lgamma ln log log10 log1p log2 pi pow power proportionsZTest
      radians sigmoid sign sin sinh sqrt tan tanh tgamma width_bucket widthBucket
    `,
  },
  {
    family: 'Nulls',
    reason: 'Replace or recognize NULL.',
    names: `
      assumeNotNull coalesce firstNonDefault ifNull isNotNull isNull isNullable isZeroOrNull nullIf toNullable
    `,
  },
  {
    family: 'Random values',
    reason: 'Draw numbers and texts; their size counts against the memory limit.',
    names: `
      rand rand32 rand64 randBernoulli randBinomial randCanonical randChiSquared randConstant randExponential
      randFisherF randLogNormal randNegativeBinomial randNormal randomFixedString randomPrintableASCII
      randomString randomStringUTF8 randPoisson randStudentT randUniform
    `,
  },
  {
    family: 'Replacing in text',
    reason: 'Build text from text.',
    names: `
      format overlay overlayUTF8 printf REGEXP_REPLACE regexpQuoteMeta replace replaceAll replaceOne
      replaceRegexpAll replaceRegexpOne translate translateUTF8
    `,
  },
  {
    family: 'Rounding',
    reason: 'Round numbers.',
    names: `
      ceil ceiling floor round roundAge roundBankers roundDown roundDuration roundToExp2 trunc truncate
    `,
  },
  {
    family: 'Searching in text',
    reason: 'Search text for words and patterns.',
    names: `
      countMatches countMatchesCaseInsensitive countSubstrings countSubstringsCaseInsensitive
      countSubstringsCaseInsensitiveUTF8 extract extractAll extractAllGroupsHorizontal extractGroups
      hasAllToken hasAllTokens hasAnyToken hasAnyTokens hasPhrase hasSubsequence hasSubsequenceCaseInsensitive
      hasSubsequenceCaseInsensitiveUTF8 hasSubsequenceUTF8 hasToken hasTokenCaseInsensitive
      hasTokenCaseInsensitiveOrNull hasTokenOrNull highlight ilike instr like locate match matchPhrase
      multiSearchAllPositions multiSearchAllPositionsCaseInsensitive
      multiSearchAllPositionsCaseInsensitiveUTF8 multiSearchAllPositionsUTF8 multiSearchAny
      multiSearchAnyCaseInsensitive multiSearchAnyCaseInsensitiveUTF8 multiSearchAnyUTF8 multiSearchFirstIndex
      multiSearchFirstIndexCaseInsensitive multiSearchFirstIndexCaseInsensitiveUTF8 multiSearchFirstIndexUTF8
      multiSearchFirstPosition multiSearchFirstPositionCaseInsensitive
      multiSearchFirstPositionCaseInsensitiveUTF8 multiSearchFirstPositionUTF8 ngramDistance
      ngramDistanceCaseInsensitive ngramDistanceCaseInsensitiveUTF8 ngramDistanceUTF8 ngramSearch
      ngramSearchCaseInsensitive ngramSearchCaseInsensitiveUTF8 ngramSearchUTF8 notILike notLike position
      positionCaseInsensitive positionCaseInsensitiveUTF8 positionUTF8 REGEXP_MATCHES
    `,
  },
  {
    family: 'Splitting text',
    reason: 'Build arrays from text.',
    names: `
      alphaTokens array_to_string arrayStringConcat extractAllGroups extractAllGroupsVertical ngrams
      reverseBySeparator splitByAlpha splitByChar splitByNonAlpha splitByRegexp splitByString
      splitByWhitespace tokens tokensForLikePattern
    `,
  },
  {
    family: 'Syntax',
    reason: 'The engine lists no such functions: its parser writes EXISTS, GROUPING, untuple and lambdas so.',
    names: `
      exists grouping lambda untuple
    `,
  },
  {
    family: 'Text',
    reason: 'Read and build text; its size counts against the memory limit.',
    names: `
      appendTrailingCharIfAbsent ascii base32Decode base32Encode base58Decode base58Encode base64Decode
      base64Encode base64URLDecode base64URLEncode basename byteHammingDistance byteSlice caseFoldUTF8
      CHAR_LENGTH CHARACTER_LENGTH chdb compareSubstrings concat concat_ws concatAssumeInjective
      concatWithSeparator concatWithSeparatorAssumeInjective conv convertCharset CRC32 CRC32IEEE CRC64
      decodeHTMLComponent decodeXMLComponent encodeXMLComponent endsWith endsWithCaseInsensitive
      endsWithCaseInsensitiveUTF8 endsWithUTF8 extractTextFromHTML firstLine FROM_BASE64 initcap initcapUTF8
      isASCII isValidASCII isValidUTF8 lcase left leftPad leftPadUTF8 leftUTF8 lengthUTF8 lower lowerUTF8 lpad
      ltrim mid mismatches NATURAL_SORT_KEY naturalSortKey normalizeUTF8NFC normalizeUTF8NFD normalizeUTF8NFKC
      normalizeUTF8NFKCCasefold normalizeUTF8NFKD REGEXP_EXTRACT regexp_instr REGEXP_SUBSTR regexpExtract
      regexpInstr regexpPosition removeAccentsUTF8 removeDiacriticsUTF8 repeat reverseUTF8 right rightPad
      rightPadUTF8 rightUTF8 rpad rtrim soundex space sparseGrams sparseGramsHashes sparseGramsHashesUTF8
      sparseGramsUTF8 startsWith startsWithCaseInsensitive startsWithCaseInsensitiveUTF8 startsWithUTF8
      stringBytesEntropy stringBytesUniq stringJaccardIndex stringJaccardIndexUTF8 substr substring
      SUBSTRING_INDEX substringIndex substringIndexUTF8 substringUTF8 TO_BASE64 toValidUTF8 trim trimBoth
      trimLeft trimRight tryBase32Decode tryBase58Decode tryBase64Decode tryBase64URLDecode ucase upper
      upperUTF8
    `,
  },
  {
    family: 'Time series',
    reason: 'Compute from arrays of numbers and times.',
    names: `
      seriesDecomposeSTL seriesOutliersDetectTukey timeSeriesFromGrid timeSeriesRange
    `,
  },
  {
    family: 'Tuples',
    reason: 'Read and build tuples.',
    names: `
      dotProduct flattenTuple scalarProduct tuple tupleConcat tupleDivide tupleDivideByNumber tupleElement
      tupleHammingDistance tupleIntDiv tupleIntDivByNumber tupleIntDivOrZero tupleIntDivOrZeroByNumber
      tupleMinus tupleModulo tupleModuloByNumber tupleMultiply tupleMultiplyByNumber tupleNames tupleNegate
      tuplePlus tuplePositiveModuloByNumber tupleToNameValuePairs vectorDifference vectorSum
    `,
  },
  {
    family: 'URL text',
    reason: 'Read parts of a URL. None opens it.',
    names: `
      cutFragment cutQueryString cutQueryStringAndFragment cutToFirstSignificantSubdomain
      cutToFirstSignificantSubdomainCustom cutToFirstSignificantSubdomainCustomRFC
      cutToFirstSignificantSubdomainCustomWithWWW cutToFirstSignificantSubdomainCustomWithWWWRFC
      cutToFirstSignificantSubdomainRFC cutToFirstSignificantSubdomainWithWWW
      cutToFirstSignificantSubdomainWithWWWRFC cutURLParameter cutWWW decodeURLComponent
      decodeURLFormComponent domain domainRFC domainWithoutWWW domainWithoutWWWRFC encodeURLComponent
      encodeURLFormComponent extractURLParameter extractURLParameterNames extractURLParameters
      firstSignificantSubdomain firstSignificantSubdomainCustom firstSignificantSubdomainCustomRFC
      firstSignificantSubdomainRFC fragment netloc path pathFull port portRFC protocol queryString
      queryStringAndFragment topLevelDomain topLevelDomainRFC URLHierarchy URLPathHierarchy
    `,
  },
  {
    family: 'UUIDs',
    reason: 'Make and read UUIDs.',
    names: `
      dateTime64ToSnowflakeID dateTimeToSnowflakeID dateTimeToUUIDv7 generateUUIDv4 generateUUIDv7
      snowflakeIDToDateTime snowflakeIDToDateTime64 toUUIDOrDefault toUUIDOrNull UUIDNumToString
      UUIDStringToNum UUIDToNum UUIDv7ToDateTime
    `,
  },
  {
    family: 'Values and rows',
    reason: 'Describe, convert or number their arguments.',
    names: `
      bar blockNumber blockSize byteSize colorOKLABToSRGB colorOKLCHToSRGB colorSRGBToOKLAB colorSRGBToOKLCH
      countDigits current_database currentDatabase DATABASE defaultValueOfArgumentType digits
      finalizeAggregation FORMAT_BYTES formatReadableDecimalSize formatReadableQuantity formatReadableSize
      formatReadableTimeDelta getSizeOfEnumType getSubcolumn icebergBucket icebergTruncate identity ignore
      indexHint initializeAggregation isConstant isDecimalOverflow MACNumToString MACStringToNum materialize
      minSampleSizeContinous minSampleSizeContinuous minSampleSizeConversion neighbor parseReadableSize
      parseReadableSizeOrNull parseReadableSizeOrZero parseTimeDelta rowNumberInAllBlocks rowNumberInBlock
      runningDifference runningDifferenceStartingWithFirstValue SCHEMA throwIf toColumnTypeName toTypeName
      transform variantElement variantType version visibleWidth
    `,
  },
]

/** Families closed to user queries. Each reason is about one function: users read it after "It". */
export const CLOSED_FAMILIES: readonly FunctionFamily[] = [
  {
    family: 'AI services',
    reason: 'Sends text to a service on the network.',
    names: `
      AIClassify aiClassify aiEmbed AIExtract aiExtract AIGenerate aiGenerate AITranslate aiTranslate
    `,
  },
  {
    family: 'Certificates',
    reason: 'Shows the certificate of the server.',
    names: `
      showCertificate
    `,
  },
  {
    family: 'Database users',
    reason: 'Reports users, roles or profiles of the database server.',
    names: `
      authenticatedUser authUser current_schemas current_user currentProfiles currentRoles currentSchemas
      currentUser defaultProfiles defaultRoles enabledProfiles enabledRoles session_user user
    `,
  },
  {
    family: 'Dictionaries',
    reason: 'Reads a dictionary, which can load files, databases and URLs.',
    names: `
      dictGet dictGetAll dictGetChildren dictGetDate dictGetDateOrDefault dictGetDateTime
      dictGetDateTimeOrDefault dictGetDescendants dictGetFloat32 dictGetFloat32OrDefault dictGetFloat64
      dictGetFloat64OrDefault dictGetHierarchy dictGetInt16 dictGetInt16OrDefault dictGetInt32
      dictGetInt32OrDefault dictGetInt64 dictGetInt64OrDefault dictGetInt8 dictGetInt8OrDefault dictGetIPv4
      dictGetIPv4OrDefault dictGetIPv6 dictGetIPv6OrDefault dictGetKeys dictGetOrDefault dictGetOrNull
      dictGetRoot dictGetString dictGetStringOrDefault dictGetUInt16 dictGetUInt16OrDefault dictGetUInt32
      dictGetUInt32OrDefault dictGetUInt64 dictGetUInt64OrDefault dictGetUInt8 dictGetUInt8OrDefault dictGetUUID
      dictGetUUIDOrDefault dictHas dictIsIn
    `,
  },
  {
    family: 'Disks',
    reason: 'Measures the disks of the server.',
    names: `
      filesystemAvailable filesystemCapacity filesystemUnreserved
    `,
  },
  {
    family: 'Encryption',
    reason: 'Puts a key into the query, which is shown and logged. Hashes and HMAC are open.',
    names: `
      aes_decrypt_mysql aes_encrypt_mysql decrypt encrypt tryDecrypt
    `,
  },
  {
    family: 'Experimental vectors',
    reason: 'Uses experimental types that this data does not need.',
    names: `
      cosineDistanceTransposed cosineDistanceTransposedQuantized dequantizeInt8ToBFloat16
      distanceCosineTransposed distanceL2Transposed dotProductTransposed dotProductTransposedQuantized
      groupNumericIndexedVector L2DistanceTransposed L2DistanceTransposedQuantized
      numericIndexedVectorAllValueSum numericIndexedVectorBuild numericIndexedVectorCardinality
      numericIndexedVectorGetValue numericIndexedVectorPointwiseAdd numericIndexedVectorPointwiseDivide
      numericIndexedVectorPointwiseEqual numericIndexedVectorPointwiseGreater
      numericIndexedVectorPointwiseGreaterEqual numericIndexedVectorPointwiseLess
      numericIndexedVectorPointwiseLessEqual numericIndexedVectorPointwiseMultiply
      numericIndexedVectorPointwiseNotEqual numericIndexedVectorPointwiseSubtract
      numericIndexedVectorShortDebugString numericIndexedVectorToMap quantizeBFloat16ToInt8
      randomHadamardTransform scalarProductTransposed
    `,
  },
  {
    family: 'Files',
    reason: 'Reads a file of the server.',
    names: `
      file
    `,
  },
  {
    family: 'Formats',
    reason: 'Can load schema files of the server.',
    names: `
      formatRow formatRowNoNewline groupFormat
    `,
  },
  {
    family: 'Format schemas',
    reason: 'Writes the schema of a file format, which no query needs.',
    names: `
      generateRandomStructure structureToCapnProtoSchema structureToProtobufSchema
    `,
  },
  {
    family: 'Fuzzy patterns',
    reason: 'Can compile a pattern for longer than the time limit.',
    names: `
      multiFuzzyMatchAllIndices multiFuzzyMatchAny multiFuzzyMatchAnyIndex
    `,
  },
  {
    family: 'Generated ids',
    reason: 'Builds ids from the identity or the counters of the server.',
    names: `
      generateSerialID generateSnowflakeID
    `,
  },
  {
    family: 'Geometry',
    reason: 'Works with geometry, which this data does not have, and parses it in large native libraries.',
    names: `
      areaCartesian areaSpherical flipCoordinates geoDistance geohashDecode geohashEncode geohashesInBox
      geometryIntersectCartesian geometryIntersectSpherical geoToH3 geoToMGRS geoToUTM greatCircleAngle
      greatCircleDistance h3CellAreaM2 h3CellAreaRads2 h3Distance h3EdgeAngle h3EdgeLengthKm h3EdgeLengthM
      h3ExactEdgeLengthKm h3ExactEdgeLengthM h3ExactEdgeLengthRads h3GetBaseCell
      h3GetDestinationIndexFromUnidirectionalEdge h3GetFaces h3GetIndexesFromUnidirectionalEdge
      h3GetOriginIndexFromUnidirectionalEdge h3GetPentagonIndexes h3GetRes0Indexes h3GetResolution
      h3GetUnidirectionalEdge h3GetUnidirectionalEdgeBoundary h3GetUnidirectionalEdgesFromHexagon h3HexAreaKm2
      h3HexAreaM2 h3HexRing h3IndexesAreNeighbors h3IsPentagon h3IsResClassIII h3IsValid h3kRing h3Line
      h3NumHexagons h3PointDistKm h3PointDistM h3PointDistRads h3PolygonToCells h3PolygonToCellsWithContainment
      h3ToCenterChild h3ToChildren h3ToGeo h3ToGeoBoundary h3ToParent h3ToString h3UnidirectionalEdgeIsValid
      MGRSToGeo MVTBoundingBox MVTBoundingBoxMercator MVTEncode MVTEncodeGeom perimeterCartesian
      perimeterSpherical pointInEllipses pointInPolygon polygonAreaCartesian polygonAreaSpherical
      polygonConvexHullCartesian polygonPerimeterCartesian polygonPerimeterSpherical polygonsDistanceCartesian
      polygonsDistanceSpherical polygonsEqualsCartesian polygonsIntersectCartesian polygonsIntersectionCartesian
      polygonsIntersectionSpherical polygonsIntersectSpherical polygonsSymDifferenceCartesian
      polygonsSymDifferenceSpherical polygonsUnionCartesian polygonsUnionSpherical polygonsWithinCartesian
      polygonsWithinSpherical readWKB readWkb readWKBLineString readWKBMultiLineString readWKBMultiPolygon
      readWKBPoint readWKBPolygon readWKT readWkt readWKTLineString readWKTMultiLineString readWKTMultiPolygon
      readWKTPoint readWKTPolygon readWKTRing ST_AsMVT ST_AsMVTGeom ST_LineFromWKB ST_MLineFromWKB
      ST_MPolyFromWKB ST_PointFromWKB ST_PolyFromWKB stringToH3 SVG svg UTMToGeo WKB wkb WKT wkt
    `,
  },
  {
    family: 'Hardware addresses',
    reason: 'Reads hardware addresses, which this data does not have.',
    names: `
      MACStringToOUI
    `,
  },
  {
    family: 'Internal',
    reason: 'Belongs to query plans of the engine.',
    names: `
      __actionName __applyFilter __bitBoolMaskAnd __bitBoolMaskOr __bitSwapLastTwo __bitWrapperFunc __getScalar
      __patchPartitionID __scalarSubqueryResult __toYearCalendarOnly nested nothing nothingNull nothingUInt64
      validateNestedArraySizes
    `,
  },
  {
    family: 'Languages',
    reason: 'Loads dictionaries of a language from files of the server.',
    names: `
      lemmatize stem synonyms
    `,
  },
  {
    family: 'Long calls',
    reason: 'Can run for longer than the time limit, because the engine cannot interrupt a single call.',
    names: `
      arrayLevenshteinDistance arrayLevenshteinDistanceWeighted arraySimilarity arraySymmetricDifference
      damerauLevenshteinDistance editDistance editDistanceUTF8 jaroSimilarity jaroWinklerSimilarity
      levenshteinDistance levenshteinDistanceUTF8 multiMatchAllIndices multiMatchAny multiMatchAnyIndex
    `,
  },
  {
    family: 'Machine',
    reason: 'Reports the name or state of the server.',
    names: `
      buildId displayName errorCodeToName FQDN fullHostName getMacro getOSKernelVersion getServerPort
      hasThreadFuzzer hostName hostname revision runningConcurrency serverUUID shardCount shardNum tcpPort
      uptime zookeeperSessionUptime
    `,
  },
  {
    family: 'Models',
    reason: 'Loads or trains a model on the server.',
    names: `
      catboostEvaluate evalMLMethod naiveBayesClassifier naiveBayesClassifierWithAllProbs
      naiveBayesClassifierWithProb naiveBayesNgrams stochasticLinearRegression stochasticLogisticRegression
    `,
  },
  {
    family: 'Other tables',
    reason: 'Reads a table named in a text, which no check sees.',
    names: `
      hasColumnInTable joinGet joinGetOrNull
    `,
  },
  {
    family: 'Process',
    reason: 'Looks into the running engine.',
    names: `
      addressToLine addressToLineWithInlines addressToSymbol demangle flameGraph logTrace tid
    `,
  },
  {
    family: 'Prometheus tags',
    reason: 'Serves PromQL over a table engine that this warehouse does not use.',
    names: `
      timeSeriesCopyTag timeSeriesCopyTags timeSeriesExtractTag timeSeriesGroupToSamplingKey
      timeSeriesGroupToTags timeSeriesIdToGroup timeSeriesIdToTags timeSeriesIdToTagsGroup timeSeriesJoinTags
      timeSeriesRemoveAllTagsExcept timeSeriesRemoveTag timeSeriesRemoveTags timeSeriesReplaceTag
      timeSeriesStoreTags timeSeriesTagsGroupToTags timeSeriesTagsToGroup timeSeriesThrowDuplicateSeriesIf
    `,
  },
  {
    family: 'Query text',
    reason: 'Parses or rewrites SQL in a text.',
    names: `
      formatQuery formatQueryOrNull formatQuerySingleLine formatQuerySingleLineOrNull highlightQuery
      normalizedQueryHash normalizedQueryHashKeepNames normalizeQuery normalizeQueryKeepNames obfuscateQuery
      obfuscateQueryWithSeed tokenizeQuery
    `,
  },
  {
    family: 'Regions',
    reason: 'Reads a dictionary of regions from files of the server.',
    names: `
      regionHierarchy regionIn regionToArea regionToCity regionToContinent regionToCountry regionToDistrict
      regionToName regionToPopulation regionToTopContinent
    `,
  },
  {
    family: 'Requests',
    reason: 'Reports ids or headers of requests to the engine.',
    names: `
      connection_id connectionId current_query_id currentQueryID getClientHTTPHeader initial_query_id
      initial_query_start_time initialQueryID initialQueryStartTime query_id queryID
    `,
  },
  {
    family: 'Server settings',
    reason: 'Reports settings of the server.',
    names: `
      getServerSetting getSetting getSettingOrDefault globalVariable
    `,
  },
  {
    family: 'States',
    reason: 'Reads states of aggregate functions and is deprecated.',
    names: `
      runningAccumulate
    `,
  },
  {
    family: 'Storage',
    reason: 'Reports how the engine stores data.',
    names: `
      blockSerializedSize dumpColumnStructure getTypeSerializationStreams isMergeTreePartCoveredBy
      lowCardinalityIndices lowCardinalityKeys mergeTreePartInfo getMaxTableNameLengthForDatabase
      getMergeTreeSetting partitionID partitionId
    `,
  },
  {
    family: 'Testing',
    reason: 'Exists to test the engine.',
    names: `
      aggThrow fuzzBits fuzzQuery
    `,
  },
  {
    family: 'Transactions of the engine',
    reason: 'Reports transactions of the engine, which are not those of a chain.',
    names: `
      transactionID transactionLatestSnapshot transactionOldestSnapshot
    `,
  },
  {
    family: 'Types by name',
    reason: 'Makes a value of a type named in a text, which no check sees.',
    names: `
      defaultValueOfTypeName
    `,
  },
  {
    family: 'Waiting',
    reason: 'Holds a slot without reading anything.',
    names: `
      sleep sleepEachRow
    `,
  },
  {
    family: 'Window views',
    reason:
      'Serves window views, which this warehouse does not use. toStartOfInterval() cuts time into equal parts.',
    names: `
      hop hopEnd hopStart tumble tumbleEnd tumbleStart windowID
    `,
  },
]

/** Table functions that users of other warehouses may expect, and why they are closed. */
export const CLOSED_TABLE_FAMILIES: readonly FunctionFamily[] = [
  {
    family: 'Network',
    reason: 'Reads from the network.',
    names: `
      arrowstream azureBlobStorage azureBlobStorageCluster cluster clusterAllReplicas cosn deltaLake
      deltaLakeAzure deltaLakeAzureCluster deltaLakeCluster deltaLakeS3 deltaLakeS3Cluster gcs hdfs hdfsCluster
      hudi hudiCluster iceberg icebergAzure icebergAzureCluster icebergCluster icebergHDFS icebergHDFSCluster
      icebergS3 icebergS3Cluster jdbc mongodb mysql odbc oss paimon paimonAzure paimonAzureCluster paimonCluster
      paimonHDFS paimonHDFSCluster paimonS3 paimonS3Cluster postgresql redis remote remoteSecure s3 s3Cluster
      url urlCluster ytsaurus
    `,
  },
  {
    family: 'Files',
    reason: 'Reads files of the server.',
    names: `
      deltaLakeLocal fileCluster filesystem icebergLocal icebergLocalCluster paimonLocal sqlite
    `,
  },
  {
    family: 'Programs',
    reason: 'Runs a program on the server.',
    names: `
      executable
    `,
  },
  {
    family: 'Formats',
    reason: 'Can load schema files of the server.',
    names: `
      format input
    `,
  },
  {
    family: 'Other tables',
    reason: 'Reads tables named in a text, which no check sees.',
    names: `
      dictionary eval loop merge mergeTreeAnalyzeIndexes mergeTreeAnalyzeIndexesUUID mergeTreeIndex
      mergeTreeProjection mergeTreeTextIndex prometheusQuery prometheusQueryRange timeSeriesData
      timeSeriesMetrics timeSeriesSamples timeSeriesSelector timeSeriesTags viewIfPermitted
    `,
  },
  {
    family: 'Explanations',
    reason: 'Explains a query within another query. Send EXPLAIN on its own.',
    names: `
      viewExplain
    `,
  },
  {
    family: 'Random rows',
    reason: 'Makes random rows of a structure named in a text, which no check sees.',
    names: `
      fuzzJSON generateRandom
    `,
  },
]
