import { createHash } from 'node:crypto'
import { subsidySat } from '#kernel/bitcoin.ts'
import type { RowOf } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { btcBatches, btcBlocks, btcInputs, btcOutputs, btcTxs } from '#warehouse/tables/bitcoin.ts'

export const COIN = 100_000_000n
export const DAY_S = 86_400

export type MadeOutput = { readonly to: string; readonly sat: bigint; readonly isOpReturn?: boolean }
/** An output of an earlier transaction, by the transaction's name. */
export type Spend = readonly [tx: string, vout: number]
export type MadeTx = {
  readonly name: string
  readonly spends?: readonly Spend[]
  readonly outputs: readonly MadeOutput[]
}
/** The first transaction is the coinbase. */
export type MadeBlock = { readonly timeS: number; readonly txs: readonly MadeTx[]; readonly pool?: string }

const sha = (text: string): Uint8Array => createHash('sha256').update(text).digest()
/** The output script of whoever is paid by this name. */
export const madeScript = (to: string): Uint8Array =>
  Buffer.concat([Buffer.from('76a914', 'hex'), sha(to).subarray(0, 20), Buffer.from('88ac', 'hex')])
const scriptOf = (output: MadeOutput): Uint8Array =>
  output.isOpReturn ? Buffer.from('6a0161', 'hex') : madeScript(output.to)

/**
 * Writes a made chain as a batch of base rows, as ingest would: prevouts found, medians of eleven, commit row last.
 * Transactions of one name have one txid, so a repeated coinbase can be made.
 */
export async function writeMadeChain(
  warehouse: Warehouse,
  blocks: readonly MadeBlock[],
  batch = 1,
  fromHeight = 0,
): Promise<void> {
  type Made = { output: MadeOutput; height: number; timeS: number }
  const made = new Map<string, Made>()
  const rows = {
    blocks: [] as RowOf<typeof btcBlocks>[],
    txs: [] as RowOf<typeof btcTxs>[],
    inputs: [] as RowOf<typeof btcInputs>[],
    outputs: [] as RowOf<typeof btcOutputs>[],
  }
  blocks.forEach(({ timeS, txs, pool = '' }, i) => {
    const height = fromHeight + i
    const at = { batch, height, blockTime: timeS }
    let fees = 0n
    let inputs = 0
    for (const [txIndex, tx] of txs.entries()) {
      const txid = sha(tx.name)
      const isCoinbase = txIndex === 0
      const spent = (tx.spends ?? []).map(([name, vout]) => ({
        name,
        vout,
        made: made.get(`${name} ${vout}`)!,
      }))
      const inputSat = spent.reduce((sum, { made: { output } }) => sum + output.sat, 0n)
      const outputSat = tx.outputs.reduce((sum, { sat }) => sum + sat, 0n)
      const from = new Set(spent.map(({ made: { output } }) => output.to))
      if (!isCoinbase) fees += inputSat - outputSat
      inputs += Math.max(1, spent.length)
      rows.txs.push({
        ...at,
        txIndex,
        txid,
        wtxid: txid,
        version: 1,
        lockTime: 0,
        sizeBytes: 200,
        vsizeVb: 200,
        weightWu: 800,
        inputCount: Math.max(1, spent.length),
        outputCount: tx.outputs.length,
        paymentOutputCount: tx.outputs.filter(({ isOpReturn }) => !isOpReturn).length,
        isCoinbase,
        hasWitness: false,
        signalsRbf: false,
        inputSat: isCoinbase ? null : inputSat,
        outputSat,
        returnedSat: isCoinbase
          ? null
          : tx.outputs.filter(({ to }) => from.has(to)).reduce((sum, { sat }) => sum + sat, 0n),
        feeSat: isCoinbase ? null : inputSat - outputSat,
        opReturnBytes: 0,
        inscriptionCount: 0,
        inscriptionBytes: 0,
        protocolMask: 0,
      })
      const ofInput = {
        ...at,
        txIndex,
        txid,
        sequence: 0xffffffff,
        scriptSig: new Uint8Array(0),
        witnessBytes: 0,
      }
      if (isCoinbase) {
        rows.inputs.push({
          ...ofInput,
          vin: 0,
          prevTxid: new Uint8Array(32),
          prevVout: 0xffffffff,
          isCoinbase,
          prevValueSat: null,
          prevScriptType: null,
          prevScript: new Uint8Array(0),
          prevHeight: null,
          prevTime: null,
        })
      }
      for (const [vin, { name, vout, made: of }] of spent.entries()) {
        rows.inputs.push({
          ...ofInput,
          vin,
          prevTxid: sha(name),
          prevVout: vout,
          isCoinbase,
          prevValueSat: of.output.sat,
          prevScriptType: 'p2pkh',
          prevScript: scriptOf(of.output),
          prevHeight: of.height,
          prevTime: of.timeS,
        })
      }
      for (const [vout, output] of tx.outputs.entries()) {
        made.set(`${tx.name} ${vout}`, { output, height, timeS })
        rows.outputs.push({
          ...at,
          txIndex,
          txid,
          vout,
          valueSat: output.sat,
          scriptType: output.isOpReturn ? 'op_return' : 'p2pkh',
          script: scriptOf(output),
          isCoinbase,
        })
      }
    }
    const times = blocks.slice(Math.max(0, i - 10), i + 1).map(block => block.timeS)
    const coinbaseSat = txs[0]!.outputs.reduce((sum, { sat }) => sum + sat, 0n)
    rows.blocks.push({
      ...at,
      hash: sha(`block ${batch} ${height}`),
      prevHash: sha(`block ${batch} ${height - 1}`),
      merkleRoot: new Uint8Array(32),
      medianTime: times.sort((a, b) => a - b)[times.length >> 1]!,
      version: 1,
      bits: 0x1d00ffff,
      nonce: 0,
      sizeBytes: 1000,
      strippedSizeBytes: 1000,
      weightWu: 4000,
      txCount: txs.length,
      inputCount: inputs,
      outputCount: txs.reduce((sum, { outputs }) => sum + outputs.length, 0),
      segwitTxCount: 0,
      outputSat: txs.reduce((sum, { outputs }) => sum + outputs.reduce((s, { sat }) => s + sat, 0n), 0n),
      coinbaseSat,
      subsidySat: subsidySat(height),
      feeSat: fees,
      taprootOutputCount: 0,
      opReturnCount: 0,
      opReturnBytes: 0,
      inscriptionCount: 0,
      inscriptionBytes: 0,
      runestoneCount: 0,
      coinbaseScript: new Uint8Array(0),
      pool,
      poolRule: '',
    })
  })
  await warehouse.insertRows(btcBlocks, rows.blocks)
  await warehouse.insertRows(btcTxs, rows.txs)
  await warehouse.insertRows(btcInputs, rows.inputs)
  await warehouse.insertRows(btcOutputs, rows.outputs)
  await decide(warehouse, batch, true, fromHeight, fromHeight + blocks.length - 1)
}

/** Commits a batch, or takes it back as a reorg does. */
export async function decide(
  warehouse: Warehouse,
  batch: number,
  isLive: boolean,
  fromHeight: number,
  toHeight: number,
): Promise<void> {
  await warehouse.insertRows(btcBatches, [
    {
      batch,
      seq: process.hrtime.bigint(),
      isLive,
      isIsland: false,
      fromHeight,
      toHeight,
      firstPrevHash: new Uint8Array(32),
      lastHash: new Uint8Array(32),
      blockCount: toHeight - fromHeight + 1,
      origin: 'blk_files',
      reason: '',
      decidedAt: Math.floor(Date.now() / 1000),
    },
  ])
}
