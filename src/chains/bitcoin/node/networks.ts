import type { Network } from '#kernel/bitcoin.ts'
import type { HttpHelp } from '../../node/http.ts'

/** What tells one Bitcoin network from another, as in Bitcoin Core's chainparams.cpp. */
export type NetworkMarks = {
  /** First four bytes of each record of `blk*.dat` and of each peer message. */
  readonly magic: string
  /** Hash of block 0, display order. */
  readonly genesisHash: string
  /** `chain` of `getblockchaininfo`. */
  readonly coreName: string
  /** From this height on the coinbase states the height (BIP-34). */
  readonly bip34Height: number
}

export const NETWORK_MARKS: Readonly<Record<Network, NetworkMarks>> = {
  mainnet: {
    magic: 'f9beb4d9',
    genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    coreName: 'main',
    bip34Height: 227_931,
  },
  testnet3: {
    magic: '0b110907',
    genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    coreName: 'test',
    bip34Height: 21_111,
  },
  testnet4: {
    magic: '1c163f28',
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    coreName: 'testnet4',
    bip34Height: 1,
  },
  signet: {
    magic: '0a03cf40',
    genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    coreName: 'signet',
    bip34Height: 1,
  },
  regtest: {
    magic: 'fabfb5da',
    genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    coreName: 'regtest',
    bip34Height: 1,
  },
}

/** The network that a `chain` of `getblockchaininfo` or a magic names; undefined for none of ours. */
export function networkBy(mark: 'coreName' | 'magic', value: string): Network | undefined {
  for (const [network, marks] of Object.entries(NETWORK_MARKS))
    if (marks[mark] === value) return network as Network // its keys are the networks
  return undefined
}

/** What to do about a node that is not there. */
export const HTTP_HELP: HttpHelp = {
  whenRefused:
    'Start Bitcoin Core with `server=1` (or `rest=1`), or correct BITCOIN_RPC_URL or BITCOIN_REST_URL.',
  whenUnreachable: 'Check the host name in BITCOIN_RPC_URL or BITCOIN_REST_URL, and the network.',
}
