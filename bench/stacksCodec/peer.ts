import {
  AddressVersion,
  AuthType,
  addressFromVersionHash,
  addressToString,
  cvToString,
  deserializeCV,
  deserializeTransaction,
  PayloadType,
  serializeCV,
} from '@stacks/transactions'
import type { Contestant } from './contestant.ts'

/** `@stacks/transactions`, the library of the Stacks wallets. */
export const openPeer = (): Contestant => ({
  decode: bytes => deserializeTransaction(bytes).postConditions.values.length,
  decodeWithTxid(bytes) {
    const tx = deserializeTransaction(bytes)
    const address = addressFromVersionHash(AddressVersion.MainnetSingleSig, tx.auth.spendingCondition.signer)
    return tx.txid().length + addressToString(address).length
  },
  valueText: bytes => cvToString(deserializeCV(bytes)).length,
  facts(bytes) {
    const tx = deserializeTransaction(bytes)
    const { auth, payload } = tx
    const sponsor = auth.authType === AuthType.Sponsored ? auth.sponsorSpendingCondition : null
    return {
      txid: tx.txid(),
      chainId: tx.chainId,
      origin: auth.spendingCondition.signer,
      sponsor: sponsor?.signer ?? null,
      nonce: auth.spendingCondition.nonce.toString(),
      feeUstx: (sponsor ?? auth.spendingCondition).fee.toString(),
      payloadType: payload.payloadType,
      postConditions: tx.postConditions.values.length,
      args:
        payload.payloadType === PayloadType.ContractCall
          ? payload.functionArgs.map(arg => serializeCV(arg))
          : [],
    }
  },
})
