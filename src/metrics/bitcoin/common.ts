/** What most entries of Bitcoin share: figures from our rows, or from a node's statistics where rows are not held. */
export const fromBlocks = {
  sources: ['bitcoin.chain', 'bitcoin.getblockstats'],
  cadence: 'block',
  since: { height: 0 },
  direction: 'neither',
} as const

/** Figures that only our own rows give. */
export const fromRows = { ...fromBlocks, sources: ['bitcoin.chain'] } as const

/** Figures that a source outside publishes. */
export const recorded = { cadence: 'day', direction: 'neither' } as const

export const bip = (number: number, title: string) => ({
  title: `BIP-${number}: ${title}`,
  url: `https://github.com/bitcoin/bips/blob/master/bip-${String(number).padStart(4, '0')}.mediawiki`,
})

export const coreGetblockstats = {
  title: 'Bitcoin Core RPC getblockstats',
  url: 'https://developer.bitcoin.org/reference/rpc/getblockstats.html',
}

export const coinMetrics = {
  title: 'Coin Metrics: Network Data documentation',
  url: 'https://docs.coinmetrics.io/network-data/network-data-overview',
}

export const issuance = {
  title: 'Bitcoin Core: GetBlockSubsidy, gettxoutsetinfo',
  url: 'https://github.com/bitcoin/bitcoin/blob/master/src/validation.cpp',
}

export const whitePaper = {
  title: 'Nakamoto: Bitcoin, a peer-to-peer electronic cash system',
  url: 'https://bitcoin.org/bitcoin.pdf',
}

export const txOutSetInfo = {
  title: 'Bitcoin Core RPC gettxoutsetinfo',
  url: 'https://developer.bitcoin.org/reference/rpc/gettxoutsetinfo.html',
}

export const blockchainChart = (chart: string) => ({
  title: 'blockchain.com charts',
  url: `https://www.blockchain.com/explorer/charts/${chart}`,
})

/**
 * SQL: a sum of what coins cost, up to the last day before which no close is missing: coins made on a day without one
 * would count as free. Before the first close of all they do.
 */
export const onPricedDays = (value: string, day = 'd.day'): string => `if(
        ${day} <= (
          SELECT max(day) FROM (
            SELECT day, day - min(day) OVER () AS days, row_number() OVER (ORDER BY day) - 1 AS closes
            FROM btc_usd_daily
            WHERE close > 0
          )
          WHERE days = closes
        ),
        toNullable(${value}), NULL
      )`
