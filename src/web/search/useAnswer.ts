import { useEffect, useState } from 'react'
import type { SearchAnswer } from '#http/contract.ts'
import { ApiRefusal, browserApi } from '../api.ts'

/** Long enough that somebody who types fast asks once for several letters, too short to be noticed. */
const PAUSE_MS = 70
const LIMIT = 24

/** What the server says of a text: an answer to an earlier one stays until the next is there. */
export type Answered = {
  readonly answer: SearchAnswer | undefined
  /** Why there is none for this text. */
  readonly failure: string | undefined
}

const NOTHING: Answered = { answer: undefined, failure: undefined }

/** Asks for each text once typing pauses, and takes back what it no longer needs. */
export function useAnswer(text: string): Answered {
  const [answered, setAnswered] = useState(NOTHING)
  useEffect(() => {
    if (text === '') {
      setAnswered(NOTHING)
      return
    }
    const superseded = new AbortController()
    const timer = setTimeout(() => {
      browserApi.search({ q: text, limit: LIMIT }, superseded.signal).then(
        answer => setAnswered({ answer, failure: undefined }),
        (error: unknown) => {
          if (!superseded.signal.aborted) setAnswered({ answer: undefined, failure: sentenceOf(error) })
        },
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [text])
  return answered
}

const sentenceOf = (error: unknown): string => {
  if (error instanceof ApiRefusal) return error.problem.detail
  return navigator.onLine
    ? 'The server does not answer. Press Enter to try the search page.'
    : 'You are offline, and search needs the server. Pages you opened before are listed while they are cached.'
}
