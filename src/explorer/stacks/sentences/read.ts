import { z } from 'zod'
import { CatalogError, filesIn, printingContracts, readFacts, readStacksApps } from '#catalog/index.ts'
import { createSentences, type SentenceFacts, type Sentences } from './createSentences.ts'

const Contract = z
  .string()
  .regex(/^(\*|[0-9A-Z]{28,41}\.[\w-]*\*?[\w-]*)$/, 'must be a contract, with one * at most in its name')

/** A file of `catalog/stacks/sentences/`: how calls and prints of a protocol’s contracts read. */
export const SentenceFile = z.strictObject({
  /** Slug in `catalog/protocols`; null for what is of no protocol. */
  protocol: z.string().nullable(),
  /** What follows "on" at the end of its sentences; empty for nothing. */
  name: z.string(),
  contracts: z.record(z.string(), z.array(Contract).min(1)),
  calls: z.record(z.string(), z.string().min(1)),
  prints: z.record(z.string(), z.string().min(1)).optional(),
  errors: z.record(z.string(), z.record(z.string().regex(/^u?-?\d+$/), z.string().min(1))).optional(),
})
export type SentenceFile = z.infer<typeof SentenceFile>

const Tokens = z.strictObject({
  about: z.string(),
  tokens: z.array(
    z.strictObject({
      asset: z.string().includes('::'),
      symbol: z.string().min(1),
      name: z.string(),
      decimals: z.int().min(0).max(38),
      kind: z.string(),
      standsFor: z.string().optional(),
    }),
  ),
  collections: z.array(z.strictObject({ asset: z.string().includes('::'), name: z.string().min(1) })),
})

const Contracts = z.strictObject({
  about: z.string(),
  origin: z.record(z.string(), z.string()),
  functions: z.array(z.string()),
  errors: z.array(z.string()),
  contracts: z.record(
    z.string(),
    z.strictObject({ protocol: z.string(), functions: z.array(z.int()), errors: z.array(z.int()) }),
  ),
})
export type ContractFacts = z.infer<typeof Contracts>

/**
 * Everything that sentences about Stacks rest on, from the catalogue in `dir`. Throws `catalog.invalid` with file, field and reason of
 * the first fault.
 */
export async function readSentences(dir: string): Promise<Sentences> {
  const names = await filesIn(dir, 'stacks/sentences')
  const [files, tokens, contracts, apps] = await Promise.all([
    Promise.all(
      names.map(async name => ({
        file: `stacks/sentences/${name}`,
        facts: await readFacts(dir, `stacks/sentences/${name}`, SentenceFile),
      })),
    ),
    readFacts(dir, 'stacks/tokens.json', Tokens),
    readFacts(dir, 'stacks/contracts.json', Contracts),
    readStacksApps(dir),
  ])
  const facts: SentenceFacts = {
    files,
    tokens: tokens.tokens,
    collections: tokens.collections,
    contracts,
    printing: apps.map(printingContracts),
  }
  return createSentences(facts, (file, field, reason) => {
    throw new CatalogError('catalog.invalid', `catalog/${file}, ${field}: ${reason}`, {
      facts: { file: `catalog/${file}`, field },
    })
  })
}
