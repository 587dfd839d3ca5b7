import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { MetricsError } from './errors.ts'

/** The facts of one file of `catalog/`. Throws `metrics.catalog` with file, field and reason of the first fault. */
export async function readFacts<Schema extends z.ZodType>(
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
