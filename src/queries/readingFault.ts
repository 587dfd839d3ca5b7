import { dayReadings } from '#kernel/dayReadings.ts'

/** What to say of a day such as `03/04/2026`, which may have two readings; undefined for a text of another form. */
export function readingFault(
  subject: string,
  text: string,
): { readonly code: `sql.${string}`; readonly message: string; readonly hint: string } | undefined {
  const [first, second] = dayReadings(text)
  if (first === undefined) return undefined
  return second === undefined
    ? {
        code: 'sql.parameter_value',
        message: `${subject} must be a day as YYYY-MM-DD, not "${text.trim()}".`,
        hint: `Write ${first}.`,
      }
    : {
        code: 'sql.ambiguous_date',
        message: `${subject} is ${text.trim()}, which may be ${first} or ${second}.`,
        hint: 'Write the day as YYYY-MM-DD.',
      }
}
