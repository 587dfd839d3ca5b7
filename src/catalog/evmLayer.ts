import { z } from 'zod'
import { Slug, Words } from './facts.ts'
import { filesIn, readFacts, wrongFact } from './file.ts'

/**
 * What the site as a whole has to know of an EVM layer: that it is there, and what to call it. All else in its file is
 * checked where the layer is read (`metrics/evmCatalog.ts`), which needs the EVM codec.
 */
const EvmFile = z.object({
  id: Slug.max(40).regex(/^[a-z]/, 'must begin with a letter'),
  name: Words,
  kind: z.literal('evm'),
  /** Where lists have it: those with a place by it, the others behind them by their names. */
  place: z.int().positive().optional(),
  stack: Words,
  headerForm: Words,
  headerFormWhy: Words.optional(),
  coin: z.object({ symbol: z.string().regex(/^[A-Za-z0-9]{1,12}$/, 'must be letters and digits') }),
  genesis: z.object({ timeS: z.int().positive().nullable() }),
  links: z.array(z.object({ label: Words, url: z.url() })).min(1),
})
const Kind = z.object({ kind: z.enum(['chain', 'evm']) })

export type EvmLayerFacts = z.infer<typeof EvmFile>

/** Names that variables of the configuration and the views of all chains have for chains of other kinds. */
const OTHERS: readonly string[] = ['bitcoin', 'stacks']

/** The EVM layers of the catalogue, in the order in which lists have them. Throws `catalog.invalid` with file, field and reason. */
export async function readEvmLayers(dir: string): Promise<readonly EvmLayerFacts[]> {
  const files = (await filesIn(dir, 'chains')).map(name => ({ name, file: `chains/${name}` }))
  const layers = await Promise.all(
    files.map(async ({ name, file }) => {
      const { kind } = await readFacts(dir, file, Kind)
      if (kind !== 'evm') return []
      const layer = await readFacts(dir, file, EvmFile)
      if (`${layer.id}.json` !== name)
        throw wrongFact(file, 'id', `is "${layer.id}", and the file is called ${name}`)
      if (OTHERS.includes(layer.id)) throw wrongFact(file, 'id', `"${layer.id}" is a chain of another kind`)
      return [layer]
    }),
  )
  const known = layers.flat()
  if (known.length === 0) throw wrongFact('chains', '', 'there is no file of an EVM layer')
  return known.toSorted(
    (a, b) =>
      (a.place ?? Infinity) - (b.place ?? Infinity) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
}
