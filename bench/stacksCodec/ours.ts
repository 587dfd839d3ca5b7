import { decodeAddress, encodeValue, openStacksCodec, payerOf, reprOf } from '#chains/stacks/index.ts'
import { PAYLOAD_KINDS } from '#kernel/stacks.ts'
import type { Contestant } from './contestant.ts'

/** Our codec. A decode always has txid and addresses: they are what rows begin with. */
export function openOurs(): Contestant {
  const codec = openStacksCodec()
  const hashOf = (address: string): string => Buffer.from(decodeAddress(address).hash160).toString('hex')
  return {
    decode: bytes => codec.decodeTransaction(bytes).postConditions.length,
    decodeWithTxid(bytes) {
      const { txid, auth } = codec.decodeTransaction(bytes)
      return txid.length + auth.origin.address.length
    },
    valueText: bytes => reprOf(codec.decodeValue(bytes)).length,
    facts(bytes) {
      const { txid, chainId, auth, payload, postConditions } = codec.decodeTransaction(bytes)
      return {
        txid,
        chainId,
        origin: hashOf(auth.origin.address),
        sponsor: auth.sponsor && hashOf(auth.sponsor.address),
        nonce: auth.origin.nonce.toString(),
        feeUstx: payerOf(auth).feeUstx.toString(),
        payloadType: PAYLOAD_KINDS.indexOf(payload.kind),
        postConditions: postConditions.length,
        args:
          payload.kind === 'contract_call' ? payload.args.map(arg => encodeValue(arg).toString('hex')) : [],
      }
    },
  }
}
