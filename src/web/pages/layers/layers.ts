/** The EVM layers that have a page: the first part of their addresses, and what pages call them. */
export const LAYERS = {
  rootstock: { name: 'Rootstock', coin: 'RBTC', variable: 'ROOTSTOCK_RPC_URL' },
  bob: { name: 'BOB', coin: 'ETH', variable: 'BOB_RPC_URL' },
  merlin: { name: 'Merlin', coin: 'BTC', variable: 'MERLIN_RPC_URL' },
  bitlayer: { name: 'Bitlayer', coin: 'BTC', variable: 'BITLAYER_RPC_URL' },
  'b2-network': { name: 'B² Network', coin: 'BTC', variable: 'B2_NETWORK_RPC_URL' },
  core: { name: 'Core', coin: 'CORE', variable: 'CORE_RPC_URL' },
} as const
export type LayerId = keyof typeof LAYERS

export const isLayer = (text: string): text is LayerId => Object.hasOwn(LAYERS, text)

/** The layer that an address is about: its first part, which the map of the site has made sure of. */
export function layerOf({ pathname }: URL): LayerId {
  const [, first = ''] = pathname.split('/')
  if (isLayer(first)) return first
  throw new Error(`${pathname} is the address of no layer`)
}

/** Coins whose amounts are told in dollars too: those that stand for a bitcoin. */
export const isPriced = (layer: LayerId): boolean => ['BTC', 'RBTC'].includes(LAYERS[layer].coin)
