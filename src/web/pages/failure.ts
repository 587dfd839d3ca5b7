/** What a page’s error boundary receives: a sentence, what to do, and where else to go. */
export type Failure = {
  title: string
  detail: string
  hint: string | undefined
  /** Code of the API’s problem behind it, which has a page of its own. */
  code: string | undefined
  nearest: { path: string; label: string }[]
}

export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'title' in value && 'detail' in value && 'nearest' in value
