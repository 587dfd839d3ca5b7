import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { CatalogError } from './errors.ts'

const fault = (
  file: string,
  field: string,
  reason: string,
  more: { cause?: unknown; hint?: string } = {},
): CatalogError =>
  new CatalogError('catalog.invalid', `catalog/${file}${field === '' ? '' : `, ${field}`}: ${reason}`, {
    facts: { file: `catalog/${file}`, field },
    ...more,
  })

/** The folder may be one of whoever runs the site. */
const unreadable = (dir: string, file: string, what: string, cause: unknown): CatalogError =>
  fault(file, '', `the ${what} cannot be read`, { cause, hint: `The catalog is looked for in ${dir}.` })

/** The facts of one file of `catalog/`. Throws `catalog.invalid` with file, field and reason of the first fault. */
export async function readFacts<Schema extends z.ZodType>(
  dir: string,
  file: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await readFile(join(dir, file), 'utf8').catch(cause => {
    throw unreadable(dir, file, 'file', cause)
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw fault(file, '', 'the file is no JSON', { cause })
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw fault(file, issue?.path.join('.') ?? '', issue?.message ?? 'does not fit')
}

/** Names of the files of facts in a folder of `catalog/`, in their order. Throws `catalog.invalid`. */
export async function filesIn(dir: string, folder: string): Promise<string[]> {
  const names = await readdir(join(dir, folder)).catch(cause => {
    throw unreadable(dir, folder, 'folder', cause)
  })
  return names.filter(name => name.endsWith('.json')).sort()
}

/**
 * The facts of a folder of `catalog/`, one file each, in the order of their names; a file is called as what it is about
 * (`nameOf`). Throws `catalog.invalid`.
 */
export async function readFolder<Schema extends z.ZodType>(
  dir: string,
  folder: string,
  schema: Schema,
  nameOf: { field: string; read: (facts: z.infer<Schema>) => string },
): Promise<z.infer<Schema>[]> {
  const files = await filesIn(dir, folder)
  return Promise.all(
    files.map(async name => {
      const file = `${folder}/${name}`
      const facts = await readFacts(dir, file, schema)
      const expected = nameOf.read(facts)
      if (`${expected}.json` === name) return facts
      throw fault(file, nameOf.field, `is "${expected}", and the file is called ${name}`)
    }),
  )
}

/** A name that one file uses and no other explains. */
export const unknownName = (file: string, field: string, name: string, kind: string): CatalogError =>
  fault(file, field, `names ${kind} "${name}", of which the catalog has no file`)

/** A fact that fits its schema and cannot be. */
export const wrongFact = (file: string, field: string, reason: string): CatalogError =>
  fault(file, field, reason)
