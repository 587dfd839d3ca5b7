import { useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../../people/askPerson.ts'

/** Waits until the user pauses typing before it searches. */
const TYPING_MS = 200
const LONGEST_SEARCH = 200

type Options<Item> = {
  pageSize: number
  /** Items without a search, if already loaded. */
  first?: readonly Item[]
  /** Whether to skip loading. */
  isOff?: boolean
}

export type SearchedPages<Item> = {
  text: string
  onText: (text: string) => void
  search: string
  /** Undefined until the first page has loaded. */
  items: readonly Item[] | undefined
  isWhole: boolean
  failure: string | undefined
  onMore: () => void
}

/** A searchable list that loads page by page. `read` gets the items before the page. */
export function useSearchedPages<Item>(
  read: (search: string, known: readonly Item[]) => Promise<readonly Item[]>,
  { pageSize, first, isOff = false }: Options<Item>,
): SearchedPages<Item> {
  const [text, onText] = useState('')
  const search = text.trim().slice(0, LONGEST_SEARCH)
  const wanted = useRef(search)
  wanted.current = search
  const [found, setFound] = useState<{ items: readonly Item[]; isWhole: boolean }>()
  const [failure, setFailure] = useState<string>()
  const shown = found ?? (first && { items: first, isWhole: first.length < pageSize })
  const readAfter = async (known: readonly Item[]) => {
    try {
      const next = await read(search, known)
      // The user has kept typing.
      if (wanted.current !== search) return
      setFailure(undefined)
      setFound({ items: [...known, ...next], isWhole: next.length < pageSize })
    } catch (error) {
      if (wanted.current === search) setFailure(wordsOf(error))
    }
  }
  const isKnown = search === '' && first !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => {
    if (isOff) return
    if (isKnown) {
      setFound(undefined)
      setFailure(undefined)
      return
    }
    const timer = setTimeout(() => void readAfter([]), search === '' ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [isOff, isKnown, search])
  return {
    text,
    onText,
    search,
    items: shown?.items,
    isWhole: shown?.isWhole ?? false,
    failure,
    onMore: () => void readAfter(shown?.items ?? []),
  }
}
