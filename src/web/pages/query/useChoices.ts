import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChoiceSource } from '#kernel/sqlDirectives.ts'
import { wordsOf } from '../../people/askPerson.ts'
import { type ChoiceList, type ChoicePage, openChoices } from './choiceList.ts'
import type { QueryClient } from './queryClient.ts'

/** Delay after the last key before a long list is searched. */
const ASK_AFTER_MS = 350

export type FoundChoices =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly text: string }
  | ({ readonly state: 'ready'; readonly isSearching: boolean } & ChoicePage)

/** Choices that match a text, page by page. The list query runs each time the list opens, because data changes. */
export function useChoices({
  client,
  source,
  isOpen,
  text,
  onKnown,
}: {
  client: QueryClient
  source: ChoiceSource
  isOpen: boolean
  text: string
  /** Reports the available values, if all are loaded. */
  onKnown: (values: ReadonlySet<string> | undefined) => void
}): { readonly found: FoundChoices; readonly readMore: () => void } {
  const [list, setList] = useState<ChoiceList>()
  const [found, setFound] = useState<FoundChoices>({ state: 'loading' })
  const searching = useRef<AbortController>(undefined)
  const of = JSON.stringify(source)
  const words = text.split(/\s+/).filter(Boolean)
  const search = words.join(' ')

  // biome-ignore lint/correctness/useExhaustiveDependencies: identified by the text of the source
  useEffect(() => {
    if (!isOpen) return
    const abort = new AbortController()
    setList(undefined)
    setFound({ state: 'loading' })
    openChoices(client, source, abort.signal).then(
      opened => {
        if (abort.signal.aborted) return
        setList(opened)
        onKnown(opened.all)
      },
      error => {
        if (!abort.signal.aborted) setFound({ state: 'failed', text: wordsOf(error) })
      },
    )
    return () => abort.abort()
  }, [isOpen, of, client])

  /** Loads the next page. */
  const read = useCallback(
    async (
      opened: ChoiceList,
      wanted: readonly string[],
      shown: ChoicePage['values'],
      signal: AbortSignal,
    ) => {
      try {
        const page = await opened.find(wanted, shown.length, signal)
        if (!signal.aborted)
          setFound({ ...page, state: 'ready', isSearching: false, values: [...shown, ...page.values] })
      } catch (error) {
        if (!signal.aborted) setFound({ state: 'failed', text: wordsOf(error) })
      }
    },
    [],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: words are those of the search
  useEffect(() => {
    if (list === undefined) return
    const abort = new AbortController()
    searching.current = abort
    setFound(known => (known.state === 'ready' ? { ...known, isSearching: true } : { state: 'loading' }))
    const wait = list.all === undefined && search !== '' ? ASK_AFTER_MS : 0
    const timer = setTimeout(() => void read(list, words, [], abort.signal), wait)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [list, search, read])

  return {
    found,
    readMore() {
      const { current } = searching
      if (list !== undefined && current !== undefined && found.state === 'ready' && !found.isSearching) {
        setFound({ ...found, isSearching: true })
        void read(list, words, found.values, current.signal)
      }
    },
  }
}
