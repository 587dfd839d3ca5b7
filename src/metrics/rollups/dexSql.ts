import type { DexEvent, DexSource } from '#catalog/index.ts'
import type { Exchanges } from '../deps.ts'
import { quoted, quotedList } from './sqlText.ts'

type Numbered = DexSource & { readonly protocol: string; readonly number: number }
type Field = keyof DexEvent['fields']

/** SQL: what a table of two lists says of `of`. */
const lookup = (
  of: string,
  pairs: readonly (readonly [string | number, string | number])[],
  none: string,
): string => {
  const sql = (value: string | number) => (typeof value === 'number' ? String(value) : quoted(value))
  return `transform(${of}, [${pairs.map(([from]) => sql(from)).join(', ')}], [${pairs.map(([, to]) => sql(to)).join(', ')}], ${none})`
}

/** The event of a source, as one text. */
const EVENT_KEY = "concat(toString(source_number), ' ', event)"

/** What a catalogue says of the exchanges on Stacks, as parts of statements over prints. */
export function createDexSql({ exchanges, dexTokens }: Exchanges) {
  /** Every generation of every exchange, numbered from 1: the number is what a print is of. */
  const sources: readonly Numbered[] = exchanges
    .flatMap(({ protocol, sources }) => sources.map(source => ({ ...source, protocol })))
    .map((source, index) => ({ ...source, number: index + 1 }))
  const events = sources.flatMap(source =>
    Object.entries(source.events).map(([name, event]) => ({ source, name, event })),
  )
  /** SQL list of the places at which a field stands, by source, event and path. */
  const placesOf = (field: Field): string | undefined => {
    const places = events.flatMap(({ source, name, event }) =>
      [event.fields[field] ?? []].flat().map(path => `${source.number} ${name} ${path}`),
    )
    return places.length === 0 ? undefined : quotedList(places)
  }
  const ofSource = (read: (source: Numbered) => string | number, none = "''"): string =>
    lookup(
      'source_number',
      sources.map(source => [source.number, read(source)] as const),
      none,
    )
  const fixed = sources.filter(({ fixedFee }) => fixedFee !== undefined)
  const inDecimals = sources.filter(({ decimals }) => decimals !== undefined)
  return {
    /** The number of the source that a contract belongs to; 0 for all others. */
    sourceNumber: (contract: string): string =>
      `multiIf(\n      ${sources
        .flatMap(({ contracts, begins, number }) => [
          ...(contracts.length > 0 ? [`${contract} IN (${quotedList(contracts)}), ${number}`] : []),
          ...begins.map(start => `startsWith(${contract}, ${quoted(start)}), ${number}`),
        ])
        .join(',\n      ')},\n      0)`,
    isDeclared: (contract: string): string =>
      [
        `${contract} IN (${quotedList(sources.flatMap(({ contracts }) => contracts))})`,
        ...sources.flatMap(({ begins }) => begins).map(start => `startsWith(${contract}, ${quoted(start)})`),
      ].join(' OR '),
    ofSource,
    ofEvent: (read: (event: DexEvent, source: Numbered) => string): string =>
      lookup(
        EVENT_KEY,
        events.map(({ source, name, event }) => [`${source.number} ${name}`, read(event, source)] as const),
        "''",
      ),
    poolPlaces: quotedList(
      events
        .filter(({ source }) => source.pool !== 'self')
        .map(({ source, name }) => `${source.number} ${name} ${source.pool}`),
    ),
    /** A number of the print; null where it is not there or no whole number. Several places are summed. */
    number(field: Field): string {
      const places = placesOf(field)
      return places === undefined
        ? 'CAST(NULL AS Nullable(UInt128))'
        : `if(countIf(place IN (${places}) AND uint_value IS NOT NULL) = 0, NULL, sumIf(uint_value, place IN (${places})))`
    },
    words: (field: Field): string => `anyIf(text_value, place IN (${placesOf(field) ?? "''"}))`,
    /** The token of a contract or asset: wrappers of STX are STX. */
    tokenOf: (contract: string): string =>
      `if(${contract} IN (${quotedList(dexTokens.stx)}), 'STX', ${contract})`,
    /** (contract, function, position) of arguments that are factors of pools. */
    factorArgs: sources.flatMap(({ contracts, factorArgs = {} }) =>
      contracts.flatMap(contract =>
        Object.entries(factorArgs).flatMap(([name, places]) =>
          places.map(at => `(${quoted(contract)}, ${quoted(name)}, ${at})`),
        ),
      ),
    ),
    fixedFee: (read: (fee: NonNullable<DexSource['fixedFee']>) => number): string =>
      fixed.length === 0
        ? '0'
        : lookup(
            'source_number',
            fixed.map(source => [source.number, read(source.fixedFee!)] as const),
            '0',
          ),
    feeScale: ofSource(({ feeScale }) => feeScale ?? 0, '0'),
    reserveDecimals:
      inDecimals.length === 0
        ? 'NULL'
        : `nullIf(${lookup(
            'source_number',
            inDecimals.map(({ number: at, decimals }) => [at, decimals!] as const),
            '255',
          )}, 255)`,
  }
}
export type DexSql = ReturnType<typeof createDexSql>
