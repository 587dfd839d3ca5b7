import { addressOf, paymentScriptOf } from '#chains/bitcoin/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { TX_SUMMARY_SQL, type TxItem, type TxRow, txItemOf } from './blockTxs.ts'
import { type Counterpart, readCounterparts } from './counterparts.ts'
import { ExplorerError } from './errors.ts'
import { type LayerOpRow, readLayerOps } from './layerOps.ts'
import { bytesOf, isoOf, type Reader, readRows } from './readRows.ts'
import { opReturnText } from './scriptText.ts'
import { HAS_CONTROL_CHARACTERS, readUtf8Start } from './text.ts'

export type TxFull = TxItem & {
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
  inputs: TxInput[]
  outputs: TxOutput[]
  inscriptions: Inscription[]
  operations: LayerOpRow[]
  /** What it is on the layers, as far as their blocks are held. */
  counterparts: Counterpart[]
}

export type TxInput = {
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

export type TxOutput = {
  vout: number
  address: string | null
  scriptType: string
  script: string
  valueSat: string
  opReturnText: string | null
  spentBy: { txid: string; vin: number; height: number } | null
}

export type Inscription = {
  vin: number
  envelope: number
  contentType: string
  bodyBytes: number
  isBrc20: boolean
  text: string | null
}

type Place = { height: number; txIndex: number }
type FullRow = TxRow & {
  height: number
  timeS: number
  blockHash: string
  wtxid: string
  version: number
  lockTime: number
  sizeBytes: number
  weightWu: number
  hasWitness: boolean
  signalsRbf: boolean
}

/** A transaction with its inputs, outputs and decoded parts. Throws `explorer.tx_not_found`. */
export async function readTx(reader: Reader, network: Network, txid: string): Promise<TxFull> {
  const place = await findTx(reader, txid)
  const at = { height: place.height, txIndex: place.txIndex }
  const [rows, inputs, outputs, inscriptions, operations] = await Promise.all([
    readRows<FullRow>(
      reader,
      `SELECT ${TX_SUMMARY_SQL}, t.height AS height, toUnixTimestamp(t.block_time) AS timeS,
  (SELECT lower(hex(hash)) FROM btc_blocks WHERE height = {height:UInt32}) AS blockHash,
  lower(hex(wtxid)) AS wtxid, version, lock_time AS lockTime, size_bytes AS sizeBytes, weight_wu AS weightWu,
  has_witness AS hasWitness, signals_rbf AS signalsRbf
FROM btc_txs AS t
WHERE t.height = {height:UInt32} AND t.tx_index = {txIndex:UInt32}`,
      at,
    ),
    readInputs(reader, network, place),
    readOutputs(reader, network, place, txid),
    readInscriptions(reader, place),
    readLayerOps(reader, place.height, place.txIndex),
  ])
  const [row] = rows
  if (!row) throw txNotFound(txid)
  const { timeS, height, blockHash, wtxid, version, lockTime, sizeBytes, weightWu, ...rest } = row
  const { hasWitness, signalsRbf, ...summary } = rest
  const counterparts = await readCounterparts(
    reader,
    { ...at, txid },
    operations.map(({ op }) => op),
  )
  return {
    ...txItemOf(summary),
    ...{ height, blockHash, time: isoOf(timeS), wtxid, version, lockTime, sizeBytes, weightWu },
    ...{ hasWitness, signalsRbf, inputs, outputs, inscriptions, operations, counterparts },
  }
}

const txNotFound = (txid: string): ExplorerError =>
  new ExplorerError('explorer.tx_not_found', `Transaction ${txid} is not indexed.`, {
    hint: 'Only transactions in indexed blocks are available. See /status for indexed heights.',
    facts: { txid },
  })

/** Every transaction has an output, and outputs are kept in the order of their txids too. */
async function findTx(reader: Reader, txid: string): Promise<Place> {
  const [place] = await readRows<Place>(
    reader,
    `WITH toFixedString(unhex({txid:String}), 32) AS wanted
SELECT height, tx_index AS txIndex
FROM btc_outpoints
WHERE txid_prefix = reinterpretAsUInt64(reverse(substring(unhex({txid:String}), 1, 8))) AND txid = wanted
ORDER BY height DESC
LIMIT 1`,
    { txid },
  )
  if (!place) throw txNotFound(txid)
  return place
}

async function readInputs(reader: Reader, network: Network, place: Place): Promise<TxInput[]> {
  const rows = await readRows<TxInput & { isCoinbase: boolean; prevScript: string }>(
    reader,
    `SELECT vin, is_coinbase AS isCoinbase, lower(hex(prev_txid)) AS prevTxid, prev_vout AS prevVout,
  lower(hex(prev_script)) AS prevScript, toString(prev_script_type) AS scriptType, toString(prev_value_sat) AS valueSat,
  prev_height AS prevHeight, sequence, lower(hex(script_sig)) AS scriptSig, witness_bytes AS witnessBytes
FROM btc_inputs
WHERE height = {height:UInt32} AND tx_index = {txIndex:UInt32}
ORDER BY vin`,
    place,
  )
  return rows.map(({ isCoinbase, prevScript, ...row }) => ({
    ...row,
    prevTxid: isCoinbase ? null : row.prevTxid,
    prevVout: isCoinbase ? null : row.prevVout,
    address: prevScript === '' ? null : shownAddress(prevScript, network),
  }))
}

async function readOutputs(
  reader: Reader,
  network: Network,
  place: Place,
  txid: string,
): Promise<TxOutput[]> {
  const [rows, spends] = await Promise.all([
    readRows<Omit<TxOutput, 'address' | 'opReturnText' | 'spentBy'>>(
      reader,
      `SELECT vout, toString(script_type) AS scriptType, lower(hex(script)) AS script, toString(value_sat) AS valueSat
FROM btc_outputs
WHERE height = {height:UInt32} AND tx_index = {txIndex:UInt32}
ORDER BY vout`,
      place,
    ),
    readRows<{ vout: number; txid: string; vin: number; height: number }>(
      reader,
      `SELECT prev_vout AS vout, lower(hex(txid)) AS txid, vin, height
FROM btc_inputs
WHERE prev_txid = toFixedString(unhex({txid:String}), 32) AND height >= {height:UInt32}`,
      { txid, height: place.height },
    ),
  ])
  const spentBy = new Map(spends.map(({ vout, ...spend }) => [vout, spend]))
  return rows.map(row => ({
    ...row,
    address: shownAddress(row.script, network),
    opReturnText: opReturnText(bytesOf(row.script)),
    spentBy: spentBy.get(row.vout) ?? null,
  }))
}

async function readInscriptions(reader: Reader, place: Place): Promise<Inscription[]> {
  const rows = await readRows<Omit<Inscription, 'text'> & { bodyStart: string }>(
    reader,
    `SELECT vin, envelope, content_type AS contentType, body_bytes AS bodyBytes, is_brc20 AS isBrc20,
  hex(body_start) AS bodyStart
FROM btc_inscriptions
WHERE height = {height:UInt32} AND tx_index = {txIndex:UInt32}
ORDER BY envelope`,
    place,
  )
  return rows.map(({ bodyStart, ...row }) => {
    const text = /^text\/|json/i.test(row.contentType) ? readUtf8Start(bytesOf(bodyStart)) : null
    return { ...row, text: text !== null && HAS_CONTROL_CHARACTERS.test(text) ? null : text }
  })
}

/** A bare key is shown under the address of its hash, as everywhere in the metrics. */
function shownAddress(scriptHex: string, network: Network): string | null {
  return addressOf(paymentScriptOf(bytesOf(scriptHex)), network)
}
