import type { z } from 'zod'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * What is wrong with a value, as the end of a sentence that begins with its name: "must be one of day, week". Handed to
 * `safeParse` as `error`; where a schema has words of its own, those win. Undefined leaves it to zod's own words.
 */
export const zodWords: z.core.$ZodErrorMap = issue => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      if (issue.expected !== 'array' && Array.isArray(issue.input)) return 'must be given once, not as a list'
      return `must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'must not be empty'
      return `must ${measure(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${measure(issue.origin, 'at most', issue.maximum)}`
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`
    default:
      return undefined
  }
}

const measure = (origin: string, bound: string, value: number | bigint): string =>
  origin === 'string'
    ? `have ${bound} ${value} characters`
    : origin === 'array' || origin === 'set'
      ? `have ${bound} ${value} entries`
      : `be ${bound} ${value}`
