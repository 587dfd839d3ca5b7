/** `SP3K8…9AVTE.pool` for `address.name`, shorter for a bare address. */
export function principalText(principal: string): string {
  const [address = '', name] = principal.split('.')
  const short = address.length <= 13 ? address : `${address.slice(0, 5)}…${address.slice(-5)}`
  return name === undefined ? short : `${short}.${name}`
}

/** Where a principal opens. */
export const principalPath = (principal: string): string =>
  principal.includes('.') ? `/stacks/contract/${principal}` : `/stacks/address/${principal}`

/** The name of an asset: what follows `::`. */
export const assetText = (asset: string): string => (asset === '' ? 'STX' : (asset.split('::')[1] ?? asset))
