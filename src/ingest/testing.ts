import { hash } from 'node:crypto'
import { readHeader } from '#chains/bitcoin/node/index.ts'
import { NETWORK_MARKS } from '#chains/bitcoin/node/networks.ts'
import { type Network, subsidySat } from '#kernel/bitcoin.ts'
import { type BatchFamily, BITCOIN, isLiveSql, type Warehouse } from '#warehouse/index.ts'
import { truncateTables } from '#warehouse/testing.ts'

/** A regtest chain made up for tests: blocks that pass every check of ours, with spends of every age. */
export type MadeChain = {
  readonly blocks: readonly Buffer[]
  readonly unspent: readonly MadeOutput[]
}

export type MadeOutput = {
  readonly txid: Buffer
  readonly vout: number
  readonly valueSat: bigint
  /** Height from which it may be spent. */
  readonly ripeHeight: number
}

/** The genesis block of regtest, as Bitcoin Core has it. */
export const REGTEST_GENESIS = Buffer.from(
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f20020000000101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
  'hex',
)

export const genesisChain: MadeChain = { blocks: [REGTEST_GENESIS], unspent: [] }

/** A generator of numbers in [0, 1) that a seed repeats (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Appends `count` blocks, each with up to `mostTxs` payments; what it draws is up to `random`. Their miners claim
 * `overclaimSat` more than is theirs.
 */
export function growChain(
  chain: MadeChain,
  count: number,
  random: () => number,
  mostTxs = 4,
  overclaimSat = 0n,
): MadeChain {
  const blocks = [...chain.blocks]
  let unspent = [...chain.unspent]
  for (let i = 0; i < count; i++) {
    const height = blocks.length
    const txs: Buffer[] = []
    let feeSat = 0n
    for (let left = Math.floor(random() * (mostTxs + 1)); left > 0; left--) {
      const ripe = unspent.filter(output => output.ripeHeight <= height)
      if (ripe.length === 0) break
      const spent = ripe
        .slice(0, 1 + Math.floor(random() * 3))
        .map((_, n) => ripe[Math.floor(random() * (ripe.length - n))]!)
      const inputs = [...new Set(spent)]
      const value = inputs.reduce((sum, { valueSat }) => sum + valueSat, 0n)
      const fee = value > 10_000n ? BigInt(Math.floor(random() * 1000)) : 0n
      feeSat += fee
      const tx = payment(inputs, value - fee, random)
      txs.push(tx.raw)
      const txid = hash256(tx.raw)
      unspent = unspent.filter(output => !inputs.includes(output))
      unspent.push(...tx.valuesSat.map((valueSat, vout) => ({ txid, vout, valueSat, ripeHeight: height })))
    }
    const reward = subsidySat(height, 'regtest') + feeSat + overclaimSat
    const coinbase = coinbaseTx(height, reward, random)
    unspent.push({ txid: hash256(coinbase), vout: 0, valueSat: reward, ripeHeight: height + 100 })
    blocks.push(blockOf(blocks.at(-1)!, [coinbase, ...txs], height))
  }
  return { blocks, unspent }
}

/** Hash of a block of the chain. */
export const hashAt = (chain: MadeChain, height: number): string => readHeader(chain.blocks[height]!).hash

/** The blocks as one file, in the order given. */
export function blkFile(blocks: readonly Uint8Array[], network: Network = 'regtest'): Buffer {
  const magic = Buffer.from(NETWORK_MARKS[network].magic, 'hex')
  return Buffer.concat(blocks.flatMap(block => [magic, u32(block.length), block]))
}

/** What readers see of each table: rows and a sum over their contents that does not depend on their order. */
export async function digestOf(
  warehouse: Warehouse,
  family: BatchFamily = BITCOIN,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const { name } of family.tables) {
    const answer = await warehouse.writer.query({
      query: `SELECT concat(toString(count()), ' rows ', hex(sum(cityHash64(toString(tuple(*)))))) AS digest FROM ${name}`,
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ digest: string }>()
    digests[name] = row?.digest ?? ''
  }
  return digests
}

/** Rows of base tables that no reader sees, once the engine has carried out its deletes: 0 where nothing is left behind. */
export async function hiddenRows(warehouse: Warehouse, family: BatchFamily = BITCOIN): Promise<number> {
  for (let left = 1; left > 0; ) {
    const answer = await warehouse.writer.query({
      query: "SELECT count() AS count FROM system.mutations WHERE database = 'base' AND NOT is_done",
      format: 'JSONEachRow',
    })
    left = Number((await answer.json<{ count: string }>())[0]?.count ?? 0)
  }
  let hidden = 0
  for (const { name } of family.tables) {
    const answer = await warehouse.writer.query({
      query: `SELECT count() AS count FROM base.${name} WHERE NOT (${isLiveSql(family)})`,
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ count: string }>()
    hidden += Number(row?.count ?? 0)
  }
  return hidden
}

/** Empties every table of a family's ingest. */
export async function emptyTables(warehouse: Warehouse, family: BatchFamily = BITCOIN): Promise<void> {
  const { log, stale, states, tables } = family
  const names = [log, stale, states, ...tables].map(({ name }) => name)
  await truncateTables(warehouse, [...names, ...(family === BITCOIN ? ['btc_refused_blocks'] : [])])
}

function payment(inputs: readonly MadeOutput[], valueSat: bigint, random: () => number) {
  const count = 1 + Math.floor(random() * 3)
  const valuesSat = Array.from({ length: count }, (_, i) =>
    i === 0 ? valueSat - (valueSat / 3n) * BigInt(count - 1) : valueSat / 3n,
  )
  const scripts = valuesSat.map(() => randomScript(random))
  return {
    raw: txOf(
      inputs.map(input => ({ ...input, script: randomBytes(20 + Math.floor(random() * 80), random) })),
      valuesSat,
      scripts,
    ),
    valuesSat,
  }
}

function coinbaseTx(height: number, valueSat: bigint, random: () => number): Buffer {
  const encoded = height <= 16 ? Buffer.from([height === 0 ? 0 : 0x50 + height]) : pushHeight(height)
  const script = Buffer.concat([encoded, Buffer.from([8]), randomBytes(8, random)])
  return txOf([{ txid: Buffer.alloc(32), vout: 0xffffffff, script }], [valueSat], [randomScript(random)])
}

/** Script number of a height (BIP-34), with its length before it. */
function pushHeight(height: number): Buffer {
  const bytes: number[] = []
  for (let left = height; left > 0; left = Math.floor(left / 256)) bytes.push(left % 256)
  if (bytes.at(-1)! >= 0x80) bytes.push(0)
  return Buffer.from([bytes.length, ...bytes])
}

/** P2PKH of one of few keys, so that scripts come back; now and then a P2TR, a P2SH or a P2WPKH. */
function randomScript(random: () => number): Buffer {
  const key = Math.floor(random() * 40)
  const program = Buffer.from(hash('sha256', `key ${key}`, 'buffer'))
  const kind = random()
  if (kind < 0.6)
    return Buffer.concat([Buffer.from('76a914', 'hex'), program.subarray(0, 20), Buffer.from('88ac', 'hex')])
  if (kind < 0.75) return Buffer.concat([Buffer.from('5120', 'hex'), program])
  if (kind < 0.9)
    return Buffer.concat([Buffer.from('a914', 'hex'), program.subarray(0, 20), Buffer.from('87', 'hex')])
  return Buffer.concat([Buffer.from('0014', 'hex'), program.subarray(0, 20)])
}

function txOf(
  inputs: readonly { txid: Buffer; vout: number; script: Buffer }[],
  valuesSat: readonly bigint[],
  scripts: readonly Buffer[],
): Buffer {
  return Buffer.concat([
    u32(2),
    varint(inputs.length),
    ...inputs.flatMap(({ txid, vout, script }) => [
      txid,
      u32(vout),
      varint(script.length),
      script,
      u32(0xfffffffd),
    ]),
    varint(valuesSat.length),
    ...valuesSat.flatMap((value, i) => [u64(value), varint(scripts[i]!.length), scripts[i]!]),
    u32(0),
  ])
}

/** Finds a nonce for regtest's target: every second one will do. */
function blockOf(before: Buffer, txs: readonly Buffer[], height: number): Buffer {
  const header = Buffer.alloc(80)
  header.writeInt32LE(0x20000000, 0)
  hash256(before.subarray(0, 80)).copy(header, 4)
  rootOf(txs.map(hash256)).copy(header, 36)
  header.writeUInt32LE(1_296_688_602 + height * 600, 68)
  header.writeUInt32LE(0x207fffff, 72)
  for (let nonce = 0; ; nonce++) {
    header.writeUInt32LE(nonce, 76)
    if (hash256(header)[31]! < 0x7f) break
  }
  return Buffer.concat([header, varint(txs.length), ...txs])
}

function rootOf(ids: readonly Buffer[]): Buffer {
  let level = ids
  while (level.length > 1) {
    const next: Buffer[] = []
    for (let i = 0; i < level.length; i += 2)
      next.push(hash256(Buffer.concat([level[i]!, level[i + 1] ?? level[i]!])))
    level = next
  }
  return level[0]!
}

const hash256 = (bytes: Uint8Array): Buffer =>
  Buffer.from(hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer'))
const randomBytes = (count: number, random: () => number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)))

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

function varint(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value])
  const bytes = Buffer.alloc(3)
  bytes[0] = 0xfd
  bytes.writeUInt16LE(value, 1)
  return bytes
}
