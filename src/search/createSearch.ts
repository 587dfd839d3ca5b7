import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import { nearestNames } from '#kernel/nearest.ts'
import { type Entry, KIND_WEIGHTS } from './kinds.ts'
import { slipsBetween } from './slips.ts'
import { askedWords, formsOf, keyOf, type Mark, marksOf, wordsOf } from './words.ts'

/** An entry that answers, with the parts of its label that do. */
export type Hit = { readonly entry: Entry; readonly marks: readonly Mark[] }

export type Found = {
  /** The best first, at most as many as were asked for. */
  readonly hits: readonly Hit[]
  /** How many there are in all. */
  readonly total: number
  /** Entries whose names are most like what was typed; only where nothing answers. */
  readonly nearest: readonly Entry[]
}

/** A search by name over all entries that it was made of. */
export type Search = {
  /** Takes any text; never throws. */
  find(asked: string, limit: number): Found
}

/** Where the words of an entry stand, and how much each place counts. */
const BOOSTS = { names: 6, label: 4, of: 2, about: 0.5, detail: 0.5 } as const
type Place = keyof typeof BOOSTS
/** A word found there is part of the name. */
const NAMING: ReadonlySet<string> = new Set<Place>(['names', 'label', 'of'])

/** How well names fit, the best first: what fits better comes first whatever its kind. */
const FITS = { exact: 0, begins: 1, named: 2, meant: 3, told: 4, meantTold: 5 } as const
type Fit = (typeof FITS)[keyof typeof FITS]

/** Fewest letters in which a slip is forgiven, and one of two. */
const FORGIVEN = { once: 4, twice: 6 } as const
const slipsIn = (word: string): number =>
  /^\d+$/.test(word) || word.length < FORGIVEN.once ? 0 : word.length < FORGIVEN.twice ? 1 : 2

const NEAREST = 3
/** How little the length of a name counts against what it is the name of, while its beginning is typed. */
const EVEN = 0.4
/** Letters of a name that are compared with what was typed. */
const MOST_COMPARED = 40
/** More than any rank within one fit. */
const ABOVE = 1e6
/** Entries that are put into the index in one go: some milliseconds. */
const CHUNK = 50
/** Words as short as these are looked for at the beginning of names alone: they stand in most texts. */
const SHORT = 2

type Ranked = { readonly entry: Entry; readonly fit: Fit; readonly rank: number; readonly meant: Set<string> }

/** Builds the index, a part of it at a time so that answers to others go out meanwhile. It is worth keeping. */
export async function createSearch(entries: readonly Entry[]): Promise<Search> {
  const keys = entries.map(({ names }) => [...new Set(names.map(keyOf))].filter(key => key !== ''))
  const naming = entries.map(({ names, label }) => [...new Set([...names, label].flatMap(wordsOf))])
  const index = new MiniSearch<{ id: number } & Record<Place, string>>({
    fields: Object.keys(BOOSTS),
    tokenize: wordsOf,
    processTerm: word => formsOf(word),
    searchOptions: { boost: BOOSTS, tokenize: wordsOf, processTerm: word => word },
  })
  await index.addAllAsync(
    entries.map(({ label, detail, names, of = [], about = '' }, id) => ({
      id,
      label,
      detail,
      about,
      // In one piece as well: `sip31`, `stackingdao`.
      names: [...names, ...(keys[id] ?? [])].join(' '),
      of: [...of, ...of.map(keyOf)].join(' '),
    })),
    { chunkSize: CHUNK },
  )
  const vocabulary = [...new Set(entries.flatMap(({ names, of = [] }) => [...names, ...of].flatMap(wordsOf)))]
  const labelled = [...new Map(entries.filter(isNamedAlone).map(entry => [entry.label, entry])).values()]

  /** What MiniSearch finds of a question, each with how well its names fit. */
  function ranked(query: Query, fuzzy: boolean, words: readonly string[]): Ranked[] {
    const key = words.join('')
    return index
      .search(query, { prefix: true, ...(fuzzy && { fuzzy: slipsIn }), weights: { fuzzy: 0.3, prefix: 0.6 } })
      .flatMap((result): Ranked[] => {
        const entry = entries[Number(result.id)]
        if (entry === undefined) return []
        const meant = meantWords(result, words)
        const begins = beginning(Number(result.id), key, meant)
        if (begins !== undefined) return [begins]
        const isNamed = isInName(result, words)
        const fit =
          meant.size === 0 ? (isNamed ? FITS.named : FITS.told) : isNamed ? FITS.meant : FITS.meantTold
        // Of two that score alike the shorter name is the nearer one.
        const rank =
          result.score * weightOf(entry) * (1 + Math.min(1, key.length / keyOf(entry.label).length))
        const isLike = fit === FITS.meant
        return [
          { entry, fit, rank: isLike ? likeness(Number(result.id), key) * weightOf(entry) : rank, meant },
        ]
      })
  }

  /** How like the whole of what was typed is to a name, or to a word of it: from 0 to 1. */
  const likeness = (id: number, key: string): number =>
    Math.max(
      ...[...(keys[id] ?? []), ...(naming[id] ?? [])].map(
        name => 1 - slipsBetween(key, name.slice(0, MOST_COMPARED)) / Math.max(key.length, name.length),
      ),
      0,
    ) ** 2

  /** An entry one of whose names begins with these letters. */
  function beginning(id: number, key: string, meant: Set<string> = new Set()): Ranked | undefined {
    const entry = entries[id]
    const parts = (keys[id] ?? []).map(name => (name.startsWith(key) ? key.length / name.length : 0))
    const part = Math.max(0, ...parts)
    if (entry === undefined || part === 0) return undefined
    const fit = part === 1 ? FITS.exact : FITS.begins
    return { entry, fit, rank: (EVEN + part) * weightOf(entry), meant }
  }

  /** What has a word in its name that begins with one letter or two. */
  const shortly = (word: string): Ranked[] =>
    entries.flatMap((entry, id): Ranked[] => {
      const begins = beginning(id, word)
      if (begins !== undefined) return [begins]
      return naming[id]?.some(known => known.startsWith(word))
        ? [{ entry, fit: FITS.named, rank: weightOf(entry) / entry.label.length, meant: new Set() }]
        : []
    })

  return {
    find(asked, limit) {
      const words = askedWords(asked)
      if (words.length === 0) return { hits: [], total: 0, nearest: [] }
      // All words, or all of them in one piece.
      const query = (of: readonly string[]): Query => ({
        combineWith: 'OR',
        queries: [{ combineWith: 'AND', queries: [...of] }, ...(of.length > 1 ? [of.join('')] : [])],
      })
      const [only = '', ...others] = words
      const isShort = others.length === 0 && only.length <= SHORT
      let found = isShort ? shortly(only) : ranked(query(words), false, words)
      // Slips are looked for where nothing has the name as it is typed: they cost time, and would stand between good answers.
      if (!found.some(({ fit }) => fit <= FITS.named)) {
        const slips = ranked(query(words), true, words)
        const meant = corrected(words, vocabulary)
        const begun =
          slips.some(({ fit }) => fit <= FITS.meant) || meant === undefined
            ? []
            : ranked(query(meant), false, meant)
        found = unlike([...found, ...slips, ...begun.map(one => asMeant(one, meant ?? []))])
      }
      const best = found.toSorted((a, b) => a.fit - b.fit || b.rank - a.rank)
      return {
        hits: best
          .slice(0, limit)
          .map(({ entry, meant }) => ({ entry, marks: marksOf(entry.label, words, meant) })),
        total: best.length,
        nearest: best.length > 0 ? [] : nearestTo(asked, labelled),
      }
    },
  }
}

const weightOf = ({ kind, weight = 1 }: Entry): number => KIND_WEIGHTS[kind] * weight

/** Metrics and tables share their names: a suggestion is of something that has one of its own. */
const isNamedAlone = ({ kind }: Entry): boolean => !['metric', 'table', 'opportunity'].includes(kind)

function nearestTo(asked: string, entries: readonly Entry[]): Entry[] {
  const names = nearestNames(
    asked,
    entries.map(({ label }) => label),
    NEAREST,
  )
  return names.flatMap(name => entries.find(({ label }) => label === name) ?? [])
}

/** Words of the entry that answer a typed word which they do not begin with. */
function meantWords({ match }: SearchResult, words: readonly string[]): Set<string> {
  const key = words.join('')
  return new Set(
    Object.keys(match).filter(term => !term.startsWith(key) && !words.some(word => term.startsWith(word))),
  )
}

/** Whether each typed word is found in the name, as it is typed or as it was meant. */
function isInName({ match }: SearchResult, words: readonly string[]): boolean {
  const naming = Object.keys(match).filter(term => match[term]?.some(place => NAMING.has(place)))
  const isBegun = (term: string, word: string) => term.startsWith(word)
  const others = naming.filter(term => !words.some(word => isBegun(term, word)))
  return words.every(word => others.length > 0 || naming.some(term => isBegun(term, word)))
}

/** What a beginning with a slip in it was meant to begin with: `rotst` means `roots…`. Undefined where a word is like none. */
function corrected(words: readonly string[], vocabulary: readonly string[]): string[] | undefined {
  const meant = words.map(word => {
    if (vocabulary.some(known => known.startsWith(word))) return word
    const most = slipsIn(word)
    let best: { word: string; slips: number } | undefined
    for (const known of vocabulary) {
      const slips = slipsToBeginning(word, known, best === undefined ? most : best.slips - 1)
      if (slips !== undefined) best = { word: known, slips }
    }
    return best?.word
  })
  return meant.every(word => word !== undefined) ? meant : undefined
}

/** Fewest edits that make a typed word the beginning of a known one; undefined if more than `most`. */
function slipsToBeginning(typed: string, known: string, most: number): number | undefined {
  if (most < 1 || known.length <= typed.length - most || known[0] !== typed[0]) return undefined
  const width = Math.min(known.length, typed.length + most)
  let previous = Array.from({ length: width + 1 }, (_, at) => at)
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= width; j += 1)
      row.push(
        Math.min(
          (previous[j - 1] ?? 0) + (typed[i - 1] === known[j - 1] ? 0 : 1),
          (previous[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
        ),
      )
    if (Math.min(...row) > most) return undefined
    previous = row
  }
  const slips = Math.min(...previous)
  return slips <= most ? slips : undefined
}

/** An answer to corrected words is one that was meant, however well it fits these. */
const asMeant = ({ entry, fit, rank }: Ranked, meant: readonly string[]): Ranked => ({
  entry,
  fit: FITS.meant,
  rank: (FITS.meantTold - fit) * ABOVE + rank,
  meant: new Set(meant),
})

/** Each entry once, as it fits best. */
function unlike(found: readonly Ranked[]): Ranked[] {
  const best = new Map<Entry, Ranked>()
  for (const one of found) {
    const known = best.get(one.entry)
    if (known === undefined || one.fit < known.fit || (one.fit === known.fit && one.rank > known.rank))
      best.set(one.entry, one)
  }
  return [...best.values()]
}
