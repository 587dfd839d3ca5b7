import { createRequire } from 'node:module'
import type { Contestant } from './contestant.ts'

type BcoinAddress = { getHash(): Buffer; toString(network: string): string }
type BcoinOutput = { getType(): string; getAddress(): BcoinAddress | null; script: { getType(): number } }
type BcoinTx = { hash(): Buffer; txid(): string; outputs: BcoinOutput[] }
type BcoinBlock = { txs: BcoinTx[] }

/** bcoin's own parser, types and addresses, hashing with node:crypto (`NODE_BACKEND=node`, read when it is loaded). */
export function openBcoin(): Contestant {
  process.env.NODE_BACKEND = 'node'
  // bcoin ships no types: these are the few members used here.
  const Block = createRequire(import.meta.url)('bcoin/lib/primitives/block') as {
    fromRaw(bytes: Uint8Array): BcoinBlock
  }
  return {
    decode(bytes) {
      let sum = 0
      for (const tx of Block.fromRaw(bytes).txs) {
        sum += tx.hash().length
        for (const output of tx.outputs) {
          sum += output.script.getType()
          sum += output.getAddress()?.getHash().length ?? 0
        }
      }
      return sum
    },
    decodeWithAddresses(bytes) {
      let sum = 0
      for (const tx of Block.fromRaw(bytes).txs) {
        sum += tx.hash().length
        for (const output of tx.outputs) {
          sum += output.script.getType()
          const address = output.getAddress()
          if (address !== null) sum += address.getHash().length + address.toString('main').length
        }
      }
      return sum
    },
    facts(bytes) {
      const { txs } = Block.fromRaw(bytes)
      return {
        txids: txs.map(tx => tx.txid()),
        outputs: txs.flatMap(tx =>
          tx.outputs.map(output => {
            const address = output.getAddress()
            return {
              type: NAMES[output.getType()] ?? 'unknown',
              program: address?.getHash().toString('hex') ?? '',
              address: address?.toString('main') ?? '',
            }
          }),
        ),
      }
    },
  }
}

const NAMES: Readonly<Record<string, string>> = {
  pubkey: 'p2pk',
  pubkeyhash: 'p2pkh',
  scripthash: 'p2sh',
  multisig: 'p2ms',
  nulldata: 'op_return',
  witnesspubkeyhash: 'v0_p2wpkh',
  witnessscripthash: 'v0_p2wsh',
}
