import { REFUSALS } from './failure.ts'

/**
 * Formats of results. Left out are those that read a schema or template from a file (Protobuf, CapnProto, Template) and wire
 * protocols of other databases.
 */
const FORMATS = new Set(
  `Arrow ArrowStream Avro BSONEachRow CSV CSVWithNames CSVWithNamesAndTypes CustomSeparated CustomSeparatedWithNames
  CustomSeparatedWithNamesAndTypes JSON JSONColumns JSONColumnsWithMetadata JSONCompact JSONCompactColumns JSONCompactEachRow
  JSONCompactEachRowWithNames JSONCompactEachRowWithNamesAndTypes JSONCompactEachRowWithProgress JSONCompactStrings
  JSONCompactStringsEachRow JSONCompactStringsEachRowWithNames JSONCompactStringsEachRowWithNamesAndTypes
  JSONCompactStringsEachRowWithProgress JSONEachRow JSONEachRowWithProgress JSONLines JSONObjectEachRow JSONStrings
  JSONStringsEachRow JSONStringsEachRowWithProgress LineAsString Markdown MsgPack NDJSON Native Npy Null ORC Parquet Pretty
  PrettyCompact PrettyCompactMonoBlock PrettyCompactNoEscapes PrettyJSONEachRow PrettyNDJSON PrettyNoEscapes PrettySpace
  RawBLOB RowBinary RowBinaryWithNames RowBinaryWithNamesAndTypes SQLInsert TSKV TSV TSVRaw TSVRawWithNames
  TSVRawWithNamesAndTypes TSVWithNames TSVWithNamesAndTypes TabSeparated TabSeparatedRaw TabSeparatedRawWithNames
  TabSeparatedRawWithNamesAndTypes TabSeparatedWithNames TabSeparatedWithNamesAndTypes Values Vertical XML`.split(
    /\s+/,
  ),
)

/** The name of a format that may be written. Throws UNKNOWN_FORMAT. */
export function checkFormat(name: string): string {
  if (FORMATS.has(name)) return name
  throw REFUSALS.unknownFormat(name.slice(0, 64))
}
