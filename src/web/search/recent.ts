import type { SearchResult } from '#http/contract.ts'
import { GROUP_NAMES } from './kinds.ts'

/** What a reader has opened through the search. */
export type Recent = Pick<SearchResult, 'kind' | 'label' | 'detail' | 'path'>

const KEY = 'recent'
const MOST = 8

/** What was opened, the newest first; none where the browser keeps nothing, or keeps what is not ours. */
export function readRecent(): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Keeps one as the newest; each path once, eight in all. */
export function remember({ kind, label, detail, path }: Recent): void {
  const others = readRecent().filter(known => known.path !== path)
  keep([{ kind, label, detail, path }, ...others].slice(0, MOST))
}

export const forgetRecent = (): void => keep([])

/** Those whose name has all of the words that were typed. */
export function matching(recent: readonly Recent[], text: string): Recent[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return recent.filter(({ label }) => words.every(word => label.toLowerCase().includes(word)))
}

function keep(recent: readonly Recent[]): void {
  try {
    if (recent.length === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(recent))
  } catch {
    // Storage may be forbidden or full: nothing is remembered then.
  }
}

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false
  const { kind, label, detail, path } = value as Record<string, unknown>
  return (
    typeof kind === 'string' &&
    Object.hasOwn(GROUP_NAMES, kind) &&
    typeof label === 'string' &&
    typeof detail === 'string' &&
    typeof path === 'string' &&
    // An address of this site and of no other.
    /^\/(?![/\\])/.test(path)
  )
}
