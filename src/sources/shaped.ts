import type { z } from 'zod'
import { SourceError } from './errors.ts'

/**
 * An answer, or the part of it at `at`, that fits its schema. Throws `sources.shape` with the first field that does not.
 * `what` begins the sentence.
 */
export function shaped<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  what: string,
  at = '',
): z.infer<Schema> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = [at, ...(issue?.path ?? [])].filter(part => part !== '').join('.')
  throw new SourceError(
    'sources.shape',
    `${what}: ${field === '' ? 'the answer' : field}: ${issue?.message}`,
    {
      facts: { field },
    },
  )
}
