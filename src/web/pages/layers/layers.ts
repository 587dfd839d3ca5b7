/** The EVM layers that have a page: the first part of their addresses, what pages call them, and the id of their own token. */
export const LAYERS = {
  rootstock: { name: 'Rootstock', coin: 'RBTC', token: 'rif', variable: 'ROOTSTOCK_RPC_URL' },
  bob: { name: 'BOB', coin: 'ETH', token: 'bob', variable: 'BOB_RPC_URL' },
  merlin: { name: 'Merlin', coin: 'BTC', token: 'merl', variable: 'MERLIN_RPC_URL' },
  bitlayer: { name: 'Bitlayer', coin: 'BTC', token: 'btr', variable: 'BITLAYER_RPC_URL' },
  'b2-network': { name: 'B² Network', coin: 'BTC', token: 'b2', variable: 'B2_NETWORK_RPC_URL' },
  core: { name: 'Core', coin: 'CORE', token: 'core', variable: 'CORE_RPC_URL' },
} as const
export type LayerId = keyof typeof LAYERS

export const isLayer = (text: string): text is LayerId => Object.hasOwn(LAYERS, text)

/** The layer that an address is about: its first part, which the map of the site has made sure of. */
export function layerOf({ pathname }: URL): LayerId {
  const [, first = ''] = pathname.split('/')
  if (isLayer(first)) return first
  throw new Error(`${pathname} is the address of no layer`)
}
