import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type EvmCodec, openEvmCodec } from '#chains/evm/index.ts'
import { shared } from './shared.ts'

/** Text of a recorded file of `data/evm`, unpacked where it is packed. */
function recordedText(name: string): string {
  const bytes = readFileSync(shared(`data/evm/${name}`))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

export const recordedJson = (name: string) => JSON.parse(recordedText(name))
export const recordedLines = (name: string) =>
  recordedText(name)
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

export type RecordedBlock = {
  readonly name: string
  readonly codec: EvmCodec
  /** Answers as parsed JSON; fresh on each call, to be changed at will. */
  answers(): { block: Record<string, unknown>; receipts: Record<string, unknown>[] | null }
}

const standard = openEvmCodec({ chainId: 1, headerForm: 'standard', checksumChainId: null })
const stated = openEvmCodec({ chainId: 25, headerForm: 'stated', checksumChainId: null })
const rootstock = openEvmCodec({ chainId: 31, headerForm: 'rootstock', checksumChainId: 31 })

const pair = (name: string, codec: EvmCodec, packed = ''): RecordedBlock => ({
  name,
  codec,
  answers: () => ({
    block: recordedJson(`${name}-block.json${packed}`),
    receipts: recordedJson(`${name}-receipts.json${packed}`),
  }),
})
const rootstockPair = (number: number): RecordedBlock => ({
  name: `rootstock-testnet-${number}`,
  codec: rootstock,
  answers() {
    const { block, receipts } = recordedJson(`rootstock-testnet-${number}.json`)
    return { block, receipts }
  },
})

/** Every block recorded of an EVM chain, with the codec of its chain. */
export const recordedEvmBlocks: readonly RecordedBlock[] = [
  pair('ethereum-1000000', standard),
  pair('ethereum-4369999', standard),
  pair('ethereum-18500000', standard, '.gz'),
  pair('arbitrum-150000000', standard),
  pair('cronos-11446765', stated),
  rootstockPair(798248),
  rootstockPair(141459),
  {
    name: 'rootstock-testnet-256082',
    codec: rootstock,
    answers: () => ({
      block: recordedJson('rootstock-testnet-256082-eth_getBlockByNumber.json').result,
      receipts: null,
    }),
  },
]
