import { FACTORY, LOGGER, logsInput, TOKEN, transferInput } from './contracts.ts'
import { type Anvil, type AnvilOptions, openAnvil } from './openAnvil.ts'

/** A real node with contracts on it, whose chain grows and forks as a test tells it. */
export type MadeLayer = AsyncDisposable & {
  readonly anvil: Anvil
  /** Mines blocks with up to four transactions each: payments, transfers of tokens, failures, contracts, many logs. */
  grow(blocks: number, random: () => number): Promise<void>
  /** Puts a branch of as many blocks in the place of the newest ones. */
  reorg(depth: number): Promise<void>
  height(): Promise<number>
}

const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Block 1 holds the contracts. */
export async function openMadeLayer(options: AnvilOptions = {}): Promise<MadeLayer> {
  const anvil = await openAnvil(options)
  const made: string[] = []
  for (const data of [TOKEN, FACTORY, LOGGER]) made.push(await anvil.transact({ data }))
  await anvil.mine()
  const receipts = (await Promise.all(made.map(id => anvil.send('eth_getTransactionReceipt', id)))) as {
    contractAddress: string
  }[]
  const [token = '', factory = '', logger = ''] = receipts.map(({ contractAddress }) => contractAddress)

  async function transactOne(random: () => number): Promise<void> {
    const amount = Math.floor(random() * 1000)
    const kind = random()
    if (kind < 0.2) await anvil.transact({ to: FRIEND, value: `0x${amount.toString(16)}` })
    else if (kind < 0.6) await anvil.transact({ to: token, data: transferInput(FRIEND, amount) })
    // The amount 0 fails.
    else if (kind < 0.7) await anvil.transact({ to: token, data: transferInput(FRIEND, 0) })
    else if (kind < 0.8) await anvil.transact({ to: factory, data: TOKEN, gas: '0x100000' })
    else if (kind < 0.85) await anvil.transact({ data: TOKEN })
    else await anvil.transact({ to: logger, data: logsInput(amount % 20), gas: '0x100000' })
  }

  return {
    anvil,
    async grow(blocks, random) {
      for (let i = 0; i < blocks; i++) {
        for (let left = Math.floor(random() * 5); left > 0; left--) await transactOne(random)
        await anvil.mine()
      }
    },
    async reorg(depth) {
      await anvil.send('anvil_reorg', depth, [])
    },
    height: async () => Number(await anvil.send('eth_blockNumber')),
    [Symbol.asyncDispose]: () => anvil[Symbol.asyncDispose](),
  }
}
