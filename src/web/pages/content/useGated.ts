import { useEffect, useState } from 'react'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import { usePeople } from '../../people/usePeople.ts'

/** Why a text is not on screen: it is being asked for, it needs a feature, or asking failed. */
export type Lock = { readonly is: 'asking' | 'closed' } | { readonly is: 'failed'; readonly words: string }

/**
 * What the server gives to whoever reads and has the feature; pages hold what all may read. Nothing is asked where the
 * feature is missing, or where `path` is undefined.
 */
export function useGated<Text>(
  path: string | undefined,
  requires: string | null,
): { text: Text | undefined; lock: Lock } {
  const { features, loading, people } = usePeople()
  const [found, setFound] = useState<{ path: string; text: Text }>()
  const [failure, setFailure] = useState<string>()
  // Only a hint: the server decides.
  const mayHave = requires !== null && (features[requires] === true || features.dashboard === true)
  useEffect(() => {
    setFailure(undefined)
    if (path === undefined || !mayHave || people === undefined) return
    const gone = new AbortController()
    askPerson(people, path, { signal: gone.signal }).then(
      answer => setFound({ path, text: answer as Text }),
      error => {
        if (!gone.signal.aborted) setFailure(wordsOf(error))
      },
    )
    return () => gone.abort()
  }, [path, mayHave, people])
  // Who signs out, or goes on to another text, sees this one no more.
  const text = mayHave && found?.path === path ? found?.text : undefined
  if (failure !== undefined) return { text, lock: { is: 'failed', words: failure } }
  return { text, lock: { is: loading || mayHave ? 'asking' : 'closed' } }
}
