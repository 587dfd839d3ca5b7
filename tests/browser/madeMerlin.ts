import { createRandom } from '#ingest/testing.ts'
import { NAMED_TOKEN, transferInput } from '../evm/contracts.ts'
import { type MadeLayer, openMadeLayer } from '../evm/madeLayer.ts'

const HOUR_S = 3600
const CHAIN_ID = 4200
/** Who gets the transfer. */
export const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Three days of a Merlin by the hour, at whose end a token with a name is made and sent. Merlin: its catalogue names no first block that a node of ours would have to have. */
export type MadeMerlin = AsyncDisposable & {
  readonly layer: MadeLayer
  /** Contract of the token. */
  readonly token: string
  /** Transaction that sends 1.5 of it. */
  readonly transfer: string
  /** Of the block that holds the transfer. */
  readonly height: string
}

export async function openMadeMerlin(): Promise<MadeMerlin> {
  const start = Math.floor(Date.now() / 1000) - 80 * HOUR_S
  const layer = await openMadeLayer({ chainId: CHAIN_ID, args: ['--timestamp', String(start)] })
  await layer.anvil.send('anvil_setBlockTimestampInterval', HOUR_S)
  await layer.grow(60, createRandom(5))
  const made = await layer.anvil.transact({ data: NAMED_TOKEN })
  await layer.anvil.mine()
  const receipt = (await layer.anvil.send('eth_getTransactionReceipt', made)) as { contractAddress: string }
  const token = receipt.contractAddress
  const transfer = await layer.anvil.transact({ to: token, data: transferInput(FRIEND, 1_500_000) })
  await layer.anvil.mine()
  const height = String(await layer.height())
  await layer.anvil.mine(2)
  return { layer, token, transfer, height, [Symbol.asyncDispose]: () => layer[Symbol.asyncDispose]() }
}
