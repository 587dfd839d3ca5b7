import type { Network } from '#kernel/bitcoin.ts'

export type AddressForms = {
  readonly p2pkhVersion: number
  readonly p2shVersion: number
  readonly hrp: string
}

/** Base58 version bytes and bech32 prefix of each network. Source: Bitcoin Core `chainparams.cpp`. */
export const ADDRESS_FORMS: Readonly<Record<Network, AddressForms>> = {
  mainnet: { p2pkhVersion: 0x00, p2shVersion: 0x05, hrp: 'bc' },
  testnet3: { p2pkhVersion: 0x6f, p2shVersion: 0xc4, hrp: 'tb' },
  testnet4: { p2pkhVersion: 0x6f, p2shVersion: 0xc4, hrp: 'tb' },
  signet: { p2pkhVersion: 0x6f, p2shVersion: 0xc4, hrp: 'tb' },
  regtest: { p2pkhVersion: 0x6f, p2shVersion: 0xc4, hrp: 'bcrt' },
}
