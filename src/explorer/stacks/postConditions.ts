export type StacksPostCondition = {
  assetType: string
  principal: string
  code: string
  /** `address.contract::asset`; empty for STX. */
  asset: string
  /** Base units; empty where it is about one NFT or no amount. */
  amount: string
  /** Which NFT, as readable text. */
  tokenRepr: string
}

type ConditionJson = {
  assetType: string
  principal: string
  code: string
  asset?: string
  amount?: string | number
  amountUstx?: string | number
  value?: { repr: string }
}

/** From JSON of ours, written by ingest (`transactionJson`). */
export const conditionsOf = (json: string): StacksPostCondition[] =>
  json === ''
    ? []
    : (JSON.parse(json) as ConditionJson[]).map(
        ({ assetType, principal, code, asset = '', amount, amountUstx, value }) => ({
          assetType,
          principal,
          code,
          asset,
          amount: String(amount ?? amountUstx ?? ''),
          tokenRepr: value?.repr ?? '',
        }),
      )
