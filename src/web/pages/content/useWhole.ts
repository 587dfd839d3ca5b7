import { useEffect, useState } from 'react'
import type { Report } from '#http/contract.ts'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import { usePeople } from '../../people/usePeople.ts'

/** Why the text is not on screen: it is being asked for, it needs a feature, or asking failed. */
export type Lock = { readonly is: 'asking' | 'closed' } | { readonly is: 'failed'; readonly words: string }

/** The report with its text once the server has given that to whoever reads; the page itself holds what all may read. */
export function useWhole(open: Report): { report: Report; lock: Lock | undefined } {
  const { features, loading, people } = usePeople()
  const [whole, setWhole] = useState<Report>()
  const [failure, setFailure] = useState<string>()
  const { key, requires, isWhole } = open
  // Only a hint: the server decides.
  const mayHave = requires !== null && (features[requires] === true || features.dashboard === true)
  useEffect(() => {
    setWhole(undefined)
    setFailure(undefined)
    if (isWhole || !mayHave || people === undefined) return
    const gone = new AbortController()
    askPerson(people, `/api/v1/cms/reports/${encodeURIComponent(key)}`, { signal: gone.signal }).then(
      answer => setWhole(answer as Report),
      error => {
        if (!gone.signal.aborted) setFailure(wordsOf(error))
      },
    )
    return () => gone.abort()
  }, [key, isWhole, mayHave, people])
  if (isWhole) return { report: open, lock: undefined }
  if (whole !== undefined && mayHave) return { report: whole, lock: undefined }
  if (failure !== undefined) return { report: open, lock: { is: 'failed', words: failure } }
  return { report: open, lock: { is: loading || mayHave ? 'asking' : 'closed' } }
}
