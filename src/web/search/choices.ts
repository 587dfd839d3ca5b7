import type { SearchAnswer, SearchResult } from '#http/contract.ts'
import { GROUP_NAMES, groupsOf } from './kinds.ts'
import { matching, type Recent } from './recent.ts'

/** One line of the panel that may be chosen. */
export type Choice =
  | { readonly does: 'open'; readonly result: Recent & { readonly marks?: SearchResult['marks'] } }
  | { readonly does: 'list'; readonly path: string; readonly label: string }
  | { readonly does: 'forget' }

export type ChoiceGroup = { readonly title: string; readonly choices: readonly Choice[] }

const open = (result: Recent & { marks?: SearchResult['marks'] }): Choice => ({ does: 'open', result })

/** What the panel offers: what was opened before first, then what the server knows by kind, then the page of all results. */
export function choiceGroups(
  text: string,
  recent: readonly Recent[],
  answer: SearchAnswer | undefined,
): ChoiceGroup[] {
  const before = matching(recent, text)
  const known = new Set(before.map(({ path }) => path))
  const fresh = (answer?.items ?? []).filter(({ path }) => !known.has(path))
  const groups = [
    { title: 'Recent', choices: before.map(open) },
    ...groupsOf(fresh).map(({ kind, items }) => ({ title: GROUP_NAMES[kind], choices: items.map(open) })),
  ]
  if (answer !== undefined && answer.nearest.length > 0)
    groups.push({
      title: 'Did you mean',
      choices: answer.nearest.map(({ label, path }) => open({ kind: 'page', label, path, detail: path })),
    })
  if (text === '' && before.length > 0) groups.push({ title: '', choices: [{ does: 'forget' }] })
  if (text !== '')
    groups.push({
      title: '',
      choices: [
        { does: 'list', label: listLabel(text, answer), path: `/search?q=${encodeURIComponent(text)}` },
      ],
    })
  return groups.filter(({ choices }) => choices.length > 0)
}

const listLabel = (text: string, answer: SearchAnswer | undefined): string =>
  answer !== undefined && answer.asked === text && answer.total > answer.items.length
    ? `All ${answer.total.toLocaleString('en-US')} results for “${text}”`
    : `Search page for “${text}”`

/** What a screen reader is told of an answer. */
export function countSentence(text: string, answer: SearchAnswer | undefined): string {
  if (text === '' || answer === undefined || answer.asked !== text) return ''
  if (answer.total === 0) return `No results for ${text}.`
  return answer.total === 1 ? '1 result' : `${answer.total.toLocaleString('en-US')} results`
}
