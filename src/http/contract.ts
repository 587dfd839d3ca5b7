/**
 * What the pages and the API say to each other. The server's in-process client and the browser's client carry the same
 * `Api`; JSON answers have these shapes. Amounts are decimal strings where they may pass 2^53−1, else numbers. Times are
 * ISO-8601 in UTC, days `YYYY-MM-DD`, hashes lower-case hex in display order.
 */

export const GRAINS = ['block', 'hour', 'day', 'week', 'month', 'cycle'] as const
export type Grain = (typeof GRAINS)[number]
export const UNITS = ['native', 'btc', 'usd'] as const
export type UnitView = (typeof UNITS)[number]
export const RANGES = ['7d', '30d', '90d', '1y', 'max'] as const
export type Range = (typeof RANGES)[number]

/** How old and how complete a figure is. */
export type AsOf = {
  /** Time of the newest base row or observation behind the answer. */
  time: string
  /** Tip height behind it, where it rests on blocks. */
  height: number | null
  /** `live` follows the tip, `recorded` is a snapshot, `stale` is older than twice its cadence. */
  state: 'live' | 'recorded' | 'stale'
}

export type SourceRef = {
  id: string
  name: string
  url: string
  licence: string
  /** Last success, ISO; null for a source never reached. */
  lastSuccess: string | null
  /** Seconds between publications; null for a recording. */
  cadenceSeconds: number | null
  about: string
}

/** A `{name:Type}` of a metric's SQL. */
export type SqlParameter = { name: string; type: string; default: string; doc: string }

/** A metric as `/api/v1/metrics` lists it: the fields of `metrics.md` under those names. */
export type MetricEntry = {
  id: string
  name: string
  unit: string
  entityKind: string
  entities: string[]
  grain: Grain
  breakdown: { name: string; values: string[] } | null
  definition: string
  why: string
  how: string
  misleads: string
  sql: string
  parameters: SqlParameter[]
  sources: SourceRef[]
  cadence: string
  aggregate: 'sum' | 'last' | 'mean' | 'distinct' | 'recompute'
  since: { height?: number; day?: string }
  direction: 'up' | 'down' | 'neither'
  references: { title: string; url?: string }[]
}

export type SeriesQuery = {
  id: string
  entity: string
  /** First and last day, inclusive; left out: all there is. */
  from?: string
  to?: string
  grain?: Grain
  unit?: UnitView
  /** Only these values of the breakdown. */
  breakdown?: string[]
}

/** One bucket of one line. `value` is null for "not known", never 0. */
export type Point = {
  /** First day of the bucket. */
  day: string
  /** A number, or a decimal string beyond 2^53−1. */
  value: number | string | null
  /** Value of the breakdown; '' without one. */
  key: string
  source: string
  /** `partial`: not over; `incomplete`: a gap in its base rows; `whole` otherwise. */
  state: 'whole' | 'partial' | 'incomplete'
}

export type Restatement = {
  day: string
  key: string
  oldValue: number | string | null
  newValue: number | string | null
  source: string
  observedAt: string
}

/** Another source's figure for a day that a better source covers. */
export type Difference = {
  day: string
  key: string
  source: string
  value: number | string | null
  chosen: number | string | null
}

export type Series = {
  metric: MetricEntry
  entity: string
  grain: Grain
  /** Unit of the values as answered. */
  unit: string
  points: Point[]
  asOf: AsOf
  sources: SourceRef[]
  /** SQL and parameters that give these points when run as they stand. */
  sql: string
  parameters: Record<string, string>
  /** Heights that the points rest on, as inclusive ranges; empty for outside figures. */
  heights: { from: number; to: number }[]
  restatements: Restatement[]
  differences: Difference[]
}

/** A figure that is one point of a series with its change over a range. */
export type Figure = {
  metric: MetricEntry
  entity: string
  unit: string
  point: Point | null
  /** Ratio of change against the full bucket `range` before; null where the older one is missing. */
  change: number | null
  changeRange: Range
  spark: (number | null)[]
  asOf: AsOf
  /** Why there is no figure, if there is none. */
  absent: string | null
}

export type SqlRequest = {
  sql: string
  parameters?: Record<string, string>
  queryId?: string
  format?: SqlFormat
}
export const SQL_FORMATS = ['json', 'csv', 'arrow', 'parquet'] as const
export type SqlFormat = (typeof SQL_FORMATS)[number]
export type SqlColumn = { name: string; type: string }
export type SqlAnswer = {
  queryId: string
  columns: SqlColumn[]
  rows: (string | number | boolean | null)[][]
  rowCount: number
  /** True when the row limit cut the answer. */
  isTruncated: boolean
  elapsedMs: number
  readRows: number
  readBytes: number
  asOf: AsOf
}

/** application/problem+json (RFC 9457). */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: string
  /** Names of the parameters at fault with what was wrong. */
  errors?: { parameter: string; message: string }[]
  /** SQL errors: where, 1-based. */
  line?: number
  column?: number
  hint?: string
}

export type BlockSummary = {
  height: number
  hash: string
  time: string
  txCount: number
  sizeBytes: number | null
  weightWu: number | null
  feeSat: string | null
  subsidySat: string
  medianFeerate: number | null
  pool: string
  poolRule: string
  inscriptionCount: number | null
  runestoneCount: number | null
  /** Protocol mix: transactions by protocol. */
  protocols: { protocol: string; txCount: number }[]
  /** `rows`: we hold the block; `statistics`: only a node's figures of it. */
  origin: 'rows' | 'statistics'
  isIsland: boolean
}

export type BlockDetail = BlockSummary & {
  prevHash: string | null
  nextHash: string | null
  merkleRoot: string | null
  version: number | null
  bits: string | null
  nonce: number | null
  difficulty: number | null
  medianTime: string | null
  strippedSizeBytes: number | null
  inputCount: number
  outputCount: number
  outputSat: string
  coinbaseSat: string | null
  coinbaseText: string | null
  outputsByType: { type: string; count: number; valueSat: string }[]
  feerates: { p10: number; p25: number; p50: number; p75: number; p90: number } | null
  operations: LayerOpView[]
  source: SourceRef
}

export type LayerOpView = {
  txid: string
  vout: number
  op: string
  valueSat: string
  details: Record<string, string | number | boolean | null>
  rule: string
}

export type TxSummary = {
  txid: string
  txIndex: number
  isCoinbase: boolean
  inputCount: number
  outputCount: number
  outputSat: string
  feeSat: string | null
  vsizeVb: number
  feerateSatPerVb: number | null
  protocols: string[]
}

export type TxInputView = {
  vin: number
  prevTxid: string | null
  prevVout: number | null
  address: string | null
  scriptType: string | null
  valueSat: string | null
  prevHeight: number | null
  sequence: number
  scriptSig: string
  witnessBytes: number
}

export type TxOutputView = {
  vout: number
  address: string | null
  scriptType: string
  script: string
  valueSat: string
  opReturnText: string | null
  spentBy: { txid: string; vin: number; height: number } | null
}

export type TxDetail = TxSummary & {
  height: number
  blockHash: string
  time: string
  wtxid: string
  version: number
  lockTime: number
  sizeBytes: number
  weightWu: number
  hasWitness: boolean
  signalsRbf: boolean
  inputs: TxInputView[]
  outputs: TxOutputView[]
  inscriptions: {
    vin: number
    envelope: number
    contentType: string
    bodyBytes: number
    isBrc20: boolean
    text: string | null
  }[]
  operations: LayerOpView[]
}

export type Page<Item> = { items: Item[]; next: string | null; asOf: AsOf }

/** Where base rows stand: what is held, from where, how far. */
export type Status = {
  version: string
  chains: {
    chain: string
    network: string
    coverage: { from: number; to: number; origin: string; isIsland: boolean }[]
    tip: { height: number; hash: string; time: string } | null
    lastCommit: string | null
    isFollowing: boolean
    halted: string | null
    refused: number
  }[]
  sources: SourceRef[]
}

/** Everything a page may ask. The in-process client answers on the server, the HTTP client in the browser. */
export type Api = {
  metrics(): Promise<MetricEntry[]>
  metric(id: string, entityKind?: string): Promise<MetricEntry>
  series(query: SeriesQuery, signal?: AbortSignal): Promise<Series>
  figure(query: { id: string; entity: string; changeRange: Range; unit?: UnitView }): Promise<Figure>
  blocks(query: { before?: number; limit?: number }): Promise<Page<BlockSummary>>
  block(heightOrHash: string): Promise<BlockDetail>
  blockTxs(heightOrHash: string, query: { after?: number; limit?: number }): Promise<Page<TxSummary>>
  tx(txid: string): Promise<TxDetail>
  sql(request: SqlRequest, signal?: AbortSignal): Promise<SqlAnswer>
  status(): Promise<Status>
}
