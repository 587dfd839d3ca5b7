/**
 * A real full node (bcoin, regtest, in memory) in a process of its own: mines, spends and reorganises as its parent asks.
 * Started by `openBcoin`.
 */
import { createRequire } from 'node:module'

process.env.NODE_BACKEND = 'js'
// bcoin has no types: what is used of it is declared here.
type Entry = { readonly height: number; readonly hash: unknown; rhash(): string }
type Tx = { readonly outputs: readonly unknown[]; txid(): string }
type Coin = { readonly value: number; readonly height: number; readonly coinbase: boolean }
type Mtx = {
  readonly view: unknown
  addOutput(to: unknown, value: number): void
  addCoin(coin: Coin): void
  sign(ring: unknown): number
  toTX(): Tx
}
type Job = { addTX(tx: Tx, view: unknown): boolean; refresh(): void; mineAsync(): Promise<Block> }
type Block = { readonly txs: readonly Tx[] }
type Bcoin = {
  FullNode: new (
    options: Record<string, unknown>,
  ) => {
    readonly chain: {
      readonly height: number
      readonly tip: Entry
      add(block: Block): Promise<Entry | null>
      getEntry(height: number): Promise<Entry>
    }
    readonly miner: { cpu: { createJob(tip: Entry, address: unknown): Promise<Job> } }
    open(): Promise<void>
  }
  MTX: new () => Mtx
  Coin: { fromTX(tx: Tx, index: number, height: number): Coin }
  KeyRing: { generate(): { witness: boolean; getAddress(): unknown } }
  Script: { fromNulldata(bytes: Buffer): unknown }
}
const bcoin = createRequire(import.meta.url)('bcoin') as Bcoin
const [port = '', password = '', seed = '1'] = process.argv.slice(2)

const MATURITY = 100
/** Regtest turns segwit on after three periods of 144 blocks. */
const SEGWIT_HEIGHT = 432
const FEE_SAT = 1000
const legacy = bcoin.KeyRing.generate()
const segwit = bcoin.KeyRing.generate()
segwit.witness = true
const rings = [legacy, segwit] as const

let state = Number(seed)
const below = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return (state >>> 8) % limit
}

const node = new bcoin.FullNode({
  network: 'regtest',
  memory: true,
  listen: false,
  httpPort: Number(port),
  apiKey: password,
  workers: false,
})
await node.open()
/** Coins that may be spent behind each block of the best chain, by height. */
const coinsAt: Coin[][] = [[]]

async function mineOn(tip: Entry): Promise<Entry> {
  const height = tip.height + 1
  const coins = [...(coinsAt[tip.height] ?? [])]
  const job = await node.miner.cpu.createJob(tip, ringFor(height).getAddress())
  for (let left = below(5); left > 0; left--) {
    const ripe = coins.filter(coin => !coin.coinbase || height - coin.height >= MATURITY)
    const coin = ripe[below(ripe.length || 1)]
    if (coin === undefined) break
    coins.splice(coins.indexOf(coin), 1)
    const tx = spend([coin], height)
    if (!job.addTX(tx.toTX(), tx.view)) throw new Error('the node refuses a spend')
    collect(coins, tx.toTX(), height, 2)
  }
  job.refresh()
  const block = await job.mineAsync()
  const entry = await node.chain.add(block)
  if (entry === null) throw new Error('the node refuses its own block')
  collect(coins, block.txs[0]!, height, 1)
  coinsAt[height] = coins
  return entry
}

const ringFor = (height: number) => (height > SEGWIT_HEIGHT ? rings[below(2)]! : legacy)

function spend(coins: readonly Coin[], height: number): Mtx {
  const tx = new bcoin.MTX()
  const value = coins.reduce((sum, coin) => sum + coin.value, 0) - FEE_SAT
  tx.addOutput(ringFor(height).getAddress(), Math.floor(value / 2))
  tx.addOutput(ringFor(height).getAddress(), value - Math.floor(value / 2))
  if (below(3) === 0) tx.addOutput(bcoin.Script.fromNulldata(Buffer.from(`note ${state}`)), 0)
  for (const coin of coins) tx.addCoin(coin)
  for (const ring of rings) tx.sign(ring)
  return tx
}

function collect(coins: Coin[], tx: Tx, height: number, outputs: number): void {
  for (let index = 0; index < outputs; index++) {
    const coin = bcoin.Coin.fromTX(tx, index, height)
    if (coin.value > 10 * FEE_SAT) coins.push(coin)
  }
}

const calls: Record<string, (count: number) => Promise<number>> = {
  async mine(count) {
    for (let i = 0; i < count; i++) await mineOn(node.chain.tip)
    return node.chain.height
  },
  /** A branch that forks `depth` blocks below the tip and is one block longer. */
  async reorg(depth) {
    const was = node.chain.tip.rhash()
    let tip = await node.chain.getEntry(node.chain.height - depth)
    for (let i = 0; i <= depth; i++) tip = await mineOn(tip)
    if (node.chain.tip.rhash() !== tip.rhash() || was === tip.rhash())
      throw new Error('the node did not reorganise')
    return node.chain.height
  },
}

process.on('message', ({ id, call, count }: { id: number; call: string; count: number }) => {
  calls[call]!(count).then(
    height => process.send?.({ id, height }),
    thrown => process.send?.({ id, failure: String(thrown) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ id: 0, height: node.chain.height })
