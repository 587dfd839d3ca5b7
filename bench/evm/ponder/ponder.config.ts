import process from 'node:process'
import { createConfig } from 'ponder'

const { ASSAY_RPC = '', ASSAY_TOKEN = '', ASSAY_END = '', ASSAY_STORE = '' } = process.env
const endBlock = Number(ASSAY_END)

const abi = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
] as const

export default createConfig({
  database: { kind: 'pglite', directory: ASSAY_STORE },
  chains: { anvil: { id: 4200, rpc: ASSAY_RPC, maxRequestsPerSecond: 500 } },
  contracts: {
    Token: { chain: 'anvil', abi, address: ASSAY_TOKEN as `0x${string}`, startBlock: 0, endBlock },
  },
  blocks: { Every: { chain: 'anvil', interval: 1, startBlock: 0, endBlock } },
})
