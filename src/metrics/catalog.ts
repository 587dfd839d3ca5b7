import { z } from 'zod'
import { readFacts } from './catalogFile.ts'

const Day = z.iso.date()

const Chain = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string().min(1),
  kind: z.literal('chain'),
  network: z.literal('mainnet'),
  coin: z.strictObject({
    symbol: z.string().min(1),
    name: z.string().min(1),
    unit: z.string().min(1),
    unitsPerCoin: z.int().positive(),
  }),
  genesis: z.strictObject({ day: Day, hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  blockSeconds: z.int().positive(),
  links: z.array(z.strictObject({ label: z.string().min(1), url: z.url() })),
  sources: z.array(z.string().min(1)).min(1),
})

const Event = z.strictObject({
  day: Day,
  height: z.int().nonnegative(),
  kind: z.enum(['halving', 'upgrade', 'protocol']),
  label: z.string().min(1),
  note: z.string().min(1),
  source: z.string().min(1),
})

export type CatalogChain = z.infer<typeof Chain>
export type CatalogEvent = z.infer<typeof Event>
export type Catalog = {
  readonly chains: readonly CatalogChain[]
  readonly events: { readonly bitcoin: readonly CatalogEvent[] }
}

/** The facts of `catalog/` that the site is made of, in file order. Throws `metrics.catalog` with file, field and reason of the first fault. */
export async function readCatalog(dir: string): Promise<Catalog> {
  const [bitcoin, events] = await Promise.all([
    readFacts(dir, 'chains/bitcoin.json', Chain),
    readFacts(dir, 'events/bitcoin.json', z.array(Event)),
  ])
  return { chains: [bitcoin], events: { bitcoin: events } }
}
