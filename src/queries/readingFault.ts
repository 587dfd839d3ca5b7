import { dayReadings } from '#kernel/dayReadings.ts'

/** Error for a numeric date such as `03/04/2026`, which can be ambiguous. Undefined for other text. */
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
        message: `${subject} is ${text.trim()}, which can mean ${first} or ${second}.`,
        hint: 'Write the day as YYYY-MM-DD.',
      }
}
