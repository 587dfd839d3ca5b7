import type { Catalog } from '#catalog/index.ts'
import { parseCsv } from '#sources/csv.ts'
import type { Recording } from '#sources/recording.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { btcBlockStats, btcStaleBlocks } from '#warehouse/tables/bitcoin.ts'
import { observations, prices } from '#warehouse/tables/observations.ts'
import { btcDifficultyEpochs } from '#warehouse/tables/rollups.ts'
import { MetricsError } from '../errors.ts'

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)

/** Each of these is one insert of one block: whole or absent.  */
export async function insertStatistics(warehouse: Warehouse, text: string, source: string): Promise<void> {
  const rows = parseCsv(
    text,
    [
      'height',
      'blockhash',
      'time',
      'mediantime',
      'txs',
      'ins',
      'outs',
      'total_out',
      'total_size',
      'total_weight',
      'swtxs',
      'swtotal_weight',
      'totalfee',
      'subsidy',
      'medianfee',
      'mediantxsize',
      'fr10',
      'fr25',
      'fr50',
      'fr75',
      'fr90',
      'utxo_increase',
    ],
    'getblockstats.csv',
  )
  const u32 = (name: keyof (typeof rows)[number]) => Uint32Array.from(rows, row => Number(row[name]))
  const u64 = (name: keyof (typeof rows)[number]) => BigUint64Array.from(rows, row => BigInt(row[name]))
  const hash = new Uint8Array(rows.length * 32)
  rows.forEach((row, i) => {
    hash.set(Buffer.from(row.blockhash, 'hex'), i * 32)
  })
  return warehouse.insertColumns(btcBlockStats, {
    rowCount: rows.length,
    height: u32('height'),
    hash,
    blockTime: u32('time'),
    medianTime: u32('mediantime'),
    txCount: u32('txs'),
    inputCount: u32('ins'),
    outputCount: u32('outs'),
    outputSat: u64('total_out'),
    sizeBytes: u32('total_size'),
    weightWu: u32('total_weight'),
    segwitTxCount: u32('swtxs'),
    segwitWeightWu: u32('swtotal_weight'),
    feeSat: u64('totalfee'),
    subsidySat: u64('subsidy'),
    medianFeeSat: u64('medianfee'),
    medianTxSizeBytes: u32('mediantxsize'),
    feerateP10: u32('fr10'),
    feerateP25: u32('fr25'),
    feerateP50: u32('fr50'),
    feerateP75: u32('fr75'),
    feerateP90: u32('fr90'),
    utxoIncrease: Int32Array.from(rows, row => Number(row.utxo_increase)),
    source: rows.map(() => source),
  })
}

export function insertEpochs(warehouse: Warehouse, text: string, source: string): Promise<void> {
  const rows = parseCsv(text, ['epoch', 'start_height', 'start_time_utc', 'bits'], 'difficulty-epochs.csv')
  return warehouse.insertRows(
    btcDifficultyEpochs,
    rows.map(row => ({
      epoch: Number(row.epoch),
      startHeight: Number(row.start_height),
      startTime: row.start_time_utc === '' ? null : secondsOf(row.start_time_utc),
      bits: Number.parseInt(row.bits, 16),
      source,
    })),
  )
}

export function insertStale(
  warehouse: Warehouse,
  text: string,
  source: string,
  seenAt: number,
): Promise<void> {
  const rows = parseCsv(text, ['height', 'hash', 'time_utc', 'winner_hash'], 'stale-headers.csv')
  return warehouse.insertRows(
    btcStaleBlocks,
    rows.map(row => ({
      height: Number(row.height),
      hash: Buffer.from(row.hash, 'hex'),
      blockTime: row.time_utc === '' ? null : secondsOf(row.time_utc),
      winnerHash: row.winner_hash === '' ? null : Buffer.from(row.winner_hash, 'hex'),
      source,
      seenAt,
    })),
  )
}

/** Figures of whom the catalogue names. Throws `metrics.snapshot` where a figure says of nobody, or a price of nothing. */
export async function insertRecording(
  warehouse: Warehouse,
  recording: Recording,
  text: string,
  catalog: Catalog,
): Promise<void> {
  const recordedAt = secondsOf(`${recording.recordedOn}T00:00:00Z`)
  const { pair } = recording
  const named = (name: string | undefined, what: string): string => {
    if (name !== undefined) return name
    throw new MetricsError('metrics.snapshot', `${recording.file}: ${what} is not said`)
  }
  const observed = [...(recording.observe?.(text, catalog) ?? [])]
  const quoted = [...(recording.price?.(text, catalog) ?? [])]
  await warehouse.insertRows(
    observations,
    observed.map(figure => ({
      metric: figure.metric,
      entity: named(figure.entity ?? recording.entity, `whom ${figure.metric} is about`),
      breakdown: figure.key ?? '',
      day: figure.day,
      amount: figure.amount ?? null,
      value: figure.value ?? null,
      source: recording.id,
      observedAt: figure.observedAt ?? recordedAt,
    })),
  )
  await warehouse.insertRows(
    prices,
    quoted.map(price => ({
      asset: named(price.asset ?? pair?.asset, 'what a price is of'),
      quote: named(price.quote ?? pair?.quote, 'the currency of a price'),
      day: price.day,
      open: price.open,
      high: price.high,
      low: price.low,
      close: price.close,
      source: recording.id,
      observedAt: recordedAt,
    })),
  )
}
