import { hexOf, jsonInteger } from '../../hex.ts'
import type { MicroblockHeader } from '../block/microblockHeader.ts'
import { encodeValue } from '../clarity/encodeValue.ts'
import { reprOf, typeOf } from '../clarity/repr.ts'
import type { ClarityValue } from '../clarity/value.ts'
import { memoText } from '../memo.ts'
import { payerOf } from './auth.ts'
import type { Payload } from './payload.ts'
import type { PostCondition } from './postConditions.ts'
import type { DecodedTransaction } from './transaction.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * A transaction as `assay decode stacks` prints it: hex without `0x`, integers beyond 2^53 as decimal text. `sender` is the origin,
 * `feeUstx` what the payer offers: the sponsor where there is one.
 */
export function transactionJson(tx: DecodedTransaction): Json {
  const { origin, sponsor, type } = tx.auth
  return {
    txid: tx.txid,
    version: tx.version,
    chainId: tx.chainId,
    authType: type,
    hashMode: origin.hashMode,
    sender: origin.address,
    sponsor: sponsor?.address ?? null,
    nonce: jsonInteger(origin.nonce),
    feeUstx: jsonInteger(payerOf(tx.auth).feeUstx),
    anchorMode: tx.anchorMode,
    postConditionMode: tx.postConditionMode,
    postConditions: tx.postConditions.map(postConditionJson),
    payload: payloadJson(tx.payload),
  }
}

/** A value as `assay decode stacks --value` prints it: its type and its readable text, as the public API writes them. */
export const valueJson = (value: ClarityValue): { readonly type: string; readonly repr: string } => ({
  type: typeOf(value),
  repr: reprOf(value),
})

/** One post-condition, as in `transactionJson`. */
export function postConditionJson(condition: PostCondition): Json {
  const { assetType, principal, code } = condition
  switch (condition.assetType) {
    case 'STX':
    case 'Staking':
      return { assetType, principal, code, amountUstx: jsonInteger(condition.amountUstx) }
    case 'Fungible':
      return { assetType, principal, asset: condition.asset, code, amount: jsonInteger(condition.amount) }
    case 'NonFungible':
      return { assetType, principal, asset: condition.asset, code, value: valueWithHex(condition.value) }
    case 'PoX':
      return { assetType, principal, code }
  }
}

function payloadJson(payload: Payload): Json {
  const { kind } = payload
  switch (payload.kind) {
    case 'token_transfer': {
      const { recipient, amountUstx, memo } = payload
      return {
        kind,
        recipient,
        amountUstx: jsonInteger(amountUstx),
        memo: hexOf(memo),
        memoText: memoText(memo),
      }
    }
    case 'contract_call': {
      const { contract, functionName, args } = payload
      return { kind, contract, function: functionName, args: args.map(valueWithHex) }
    }
    case 'poison_microblock':
      return { kind, headers: payload.headers.map(microblockJson) }
    case 'coinbase':
      return { kind, data: hexOf(payload.data) }
    case 'coinbase_to_alt_recipient':
      return { kind, data: hexOf(payload.data), recipient: payload.recipient }
    case 'nakamoto_coinbase': {
      const { data, recipient, vrfProof } = payload
      return { kind, data: hexOf(data), recipient, vrfProof: hexOf(vrfProof) }
    }
    case 'smart_contract':
    case 'versioned_smart_contract':
    case 'tenure_change':
      return payload
  }
}

const microblockJson = (header: MicroblockHeader): Json => ({ ...header, signature: hexOf(header.signature) })

const valueWithHex = (value: ClarityValue): Json => ({
  ...valueJson(value),
  hex: encodeValue(value).toString('hex'),
})
