import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ChainFacts, EventFacts, type EvmChainFacts, type EvmEventFacts } from '#chains/evm/index.ts'
import { EVM_LAYERS } from '#kernel/evm.ts'
import { MetricsError } from './errors.ts'

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
  /** The EVM layers, and the contract events that mean the same on each. */
  readonly evm: { readonly chains: readonly EvmChainFacts[]; readonly events: EvmEventFacts }
}

/** The facts of `catalog/`, in file order. Throws `metrics.catalog` with file, field and reason of the first fault. */
export async function readCatalog(dir: string): Promise<Catalog> {
  const [bitcoin, events, evmEvents, ...evmChains] = await Promise.all([
    read(dir, 'chains/bitcoin.json', Chain),
    read(dir, 'events/bitcoin.json', z.array(Event)),
    read(dir, 'evm/events.json', EventFacts),
    ...EVM_LAYERS.map(id => read(dir, `chains/${id}.json`, ChainFacts.extend({ id: z.literal(id) }))),
  ])
  return { chains: [bitcoin], events: { bitcoin: events }, evm: { chains: evmChains, events: evmEvents } }
}

async function read<Schema extends z.ZodType>(
  dir: string,
  file: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const fault = (field: string, reason: string, cause?: unknown) =>
    new MetricsError('metrics.catalog', `catalog/${file}${field === '' ? '' : `, ${field}`}: ${reason}`, {
      facts: { file: `catalog/${file}`, field },
      cause,
    })
  const text = await readFile(join(dir, file), 'utf8').catch(cause => {
    throw fault('', 'the file cannot be read', cause)
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw fault('', 'the file is no JSON', cause)
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw fault(issue?.path.join('.') ?? '', issue?.message ?? 'does not fit')
}
