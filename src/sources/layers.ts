import type { EvmLayerFacts } from '#catalog/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import { parseCsv, scaled } from './csv.ts'
import type { Recording } from './recording.ts'
import type { SourceDeclaration } from './source.ts'

/** The source of a layer's own rows. */
export const chainSourceOf = (layer: EvmLayer): string => `${layer}.chain`

const PROVED =
  'Blocks, transactions, receipts and logs as its nodes answer them; hashes, roots and senders are recomputed here.'
const AT_ITS_WORD =
  'Blocks, transactions, receipts and logs as its nodes answer them. How the hash of a block follows from its header is not published, so the node is taken at its word there; senders and hashes of transactions are recomputed.'

/** Our own rows of an EVM layer. */
export const chainSource = ({ id, name, links, headerForm }: EvmLayerFacts): SourceDeclaration => ({
  id: chainSourceOf(id),
  name: `${name} blocks`,
  url: (links.find(({ label }) => label === 'Documentation') ?? links[0]!).url,
  licence: 'public chain data',
  rank: 0,
  cadenceSeconds: 3600,
  about: headerForm === 'stated' ? AT_ITS_WORD : PROVED,
})

export const rootstockHeaders: SourceDeclaration = {
  id: 'powhsm.headers',
  name: '256 headers of Rootstock (rsksmart/rsk-powhsm)',
  url: 'https://github.com/rsksmart/rsk-powhsm',
  licence: 'MIT',
  rank: 10,
  cadenceSeconds: null,
  about:
    'Raw headers 4,481,138 to 4,481,393 of the main network, two hours and a half of 18 and 19 July 2022, with the Bitcoin headers that were mined for them. Hash, links and proof of work are recomputed here. Transactions are not in them: no count of transactions and no whole day follows.',
}

export const bobTransactions: Recording = {
  id: 'l2beat.bob',
  name: 'Transactions of BOB by day (L2BEAT, as recorded by ethereum-optimism/op-analytics)',
  url: 'https://github.com/ethereum-optimism/op-analytics',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Transactions by UTC day as L2BEAT counts them, without the system transaction of each block, 2024-04-11 to 2024-11-03, no day missing. The last day of the recording, 2024-11-04, may be a part of a day and is left out.',
  file: 'bob-transactions-daily-l2beat.csv',
  entity: 'bob',
  recordedOn: '2024-11-04',
  *observe(text) {
    for (const row of parseCsv(text, ['date', 'tx_count'], this.file)) {
      const amount = scaled(row.tx_count, 0, this.file)
      if (amount !== null && row.date < this.recordedOn) yield { metric: 'tx.count', day: row.date, amount }
    }
  },
}

export const LAYER_RECORDINGS: readonly Recording[] = [bobTransactions]

/** What figures of these EVM layers come from besides publishers. */
export const layerSources = (layers: readonly EvmLayerFacts[]): readonly SourceDeclaration[] => [
  ...layers.map(chainSource),
  rootstockHeaders,
  ...LAYER_RECORDINGS,
]
