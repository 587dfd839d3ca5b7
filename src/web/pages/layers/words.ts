import type { LayerTransferView, LayerTxSummary } from '#http/contract.ts'
import { exactUnits, figureText, grouped } from '../../format/figure.ts'
import type { SiteLayer } from '../../shell/layers.ts'

/** What codes of EVM layers are called in words. */

const KIND: Record<string, string> = {
  legacy: 'signed without a type',
  access_list: 'with an access list (EIP-2930)',
  dynamic_fee: 'with a tip (EIP-1559)',
  blob: 'with blobs (EIP-4844)',
  set_code: 'lets code act for accounts (EIP-7702)',
  deposit: 'deposit from the parent chain',
  remasc: 'REMASC: pays the miners',
  unsigned: 'unsigned system transaction',
  unknown: 'of an unknown type',
}
export const kindText = (kind: string): string => KIND[kind] ?? kind

export const outcomeText = (isSuccess: boolean | null): string =>
  isSuccess === null ? 'not reported' : isSuccess ? 'succeeded' : 'failed'

/** `0x1234…abcd`: both ends. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
export const shortHash = (hash: string): string => `${hash.slice(0, 10)}…${hash.slice(-6)}`

/** Exact amount of the layer’s coin. */
export const coinText = (layer: SiteLayer, wei: string): string => `${exactUnits(wei, 18)} ${layer.coin}`
/** The same, short: every digit is in the hover. */
export const feeText = (layer: SiteLayer, wei: string | null) => figureText(wei, `wei.${layer.coin}`)

export const partyText = (party: { address: string; name: string | null } | null): string =>
  party === null ? 'none' : (party.name ?? shortAddress(party.address))

/** What a transaction does, in words. */
export function txText(layer: SiteLayer, tx: LayerTxSummary): string {
  if (tx.kind === 'remasc') return 'Pays the miners (REMASC)'
  if (tx.isSystem) return 'System transaction'
  if (tx.recipient === null)
    return tx.contract === null ? 'Makes a contract' : `Makes the contract ${partyText(tx.contract)}`
  const sends = tx.valueWei === '0' ? '' : `${coinText(layer, tx.valueWei)}`
  if (tx.selector === null)
    return sends === ''
      ? `Sends nothing to ${partyText(tx.recipient)}`
      : `Sends ${sends} to ${partyText(tx.recipient)}`
  const call = tx.functionName === '' ? `the function ${tx.selector}` : tx.functionName
  return `Calls ${call} of ${partyText(tx.recipient)}${sends === '' ? '' : `, with ${sends}`}`
}

/** How much of what: with the decimals that the token says it has, else in base units. */
export function amountText({
  token,
  amount,
  tokenId,
  standard,
}: Pick<LayerTransferView, 'token' | 'amount' | 'tokenId' | 'standard'>): string {
  const symbol = token.symbol ?? shortAddress(token.address)
  if (standard === 'erc721') return `${symbol} no. ${grouped(tokenId ?? '0')}`
  const much = token.decimals === null ? `${grouped(amount)} base units` : exactUnits(amount, token.decimals)
  return tokenId === null ? `${much} ${symbol}` : `${much} ${symbol} no. ${grouped(tokenId)}`
}
