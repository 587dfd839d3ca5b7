import { SourceError } from '#sources/errors.ts'
import type { SourceAnswer } from '#sources/live.ts'
import type { RefusedValue } from '#sources/parts.ts'
import type { Observation, Price } from '#warehouse/tables/observations.ts'
import type { StxReadAnswer } from '#warehouse/tables/stacksReads.ts'
import type { StxTokenWord } from '#warehouse/tables/stacksTokenMetadata.ts'
import type { YieldListing } from '#warehouse/tables/yields.ts'
import { FIGURES, type KnownEntities } from './figures.ts'
import { figureKey, type Held, type Kept, priceSeries, seriesKey } from './heldFigures.ts'

/** An answer in the form in which it is kept; a day that it names is a day, a figure a figure. */
export type Checked = {
  readonly observations: readonly Observation[]
  readonly prices: readonly Price[]
  readonly contractAnswers: readonly StxReadAnswer[]
  readonly tokenWords: readonly StxTokenWord[]
  readonly poolListings: readonly YieldListing[]
  /** Values that were left out. */
  readonly refused: readonly RefusedValue[]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOST_AMOUNT = 2n ** 64n - 1n
const MOST_SUPPLY = 2n ** 128n - 1n
/** Clocks differ. */
const MOST_AHEAD_S = 300

const refuse = (code: string, field: string, reason: string): SourceError =>
  new SourceError(`sources.${code}`, `${field}: ${reason}.`, { facts: { field } })

/**
 * Every figure of an answer, checked by itself and against its neighbors. One that fails is left out and named; of two that
 * contradict each other neither is kept.
 * @throws SourceError `sources.empty` where there is none, and where all fail the first reason: `sources.number`, `sources.day`,
 * `sources.future`, `sources.unknown`, `sources.contradiction`
 */
export function checkAnswer(
  source: string,
  answer: SourceAnswer,
  known: KnownEntities,
  seenAt: number,
): Checked {
  const { tokenWords: words = [], poolListings: listed = [] } = answer
  if (answer.observations.length + answer.prices.length + words.length + listed.length === 0)
    throw refuse('empty', 'the answer', 'it has no figure')
  const today = new Date(seenAt * 1000).toISOString().slice(0, 10)
  const demandDay = (field: string, day: string): void => {
    if (!DAY.test(day) || new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day)
      throw refuse('day', field, `${JSON.stringify(day)} is no day`)
    if (day > today) throw refuse('future', field, `${day} has not come yet: it is ${today}`)
  }
  const refused: RefusedValue[] = [...(answer.refused ?? [])]
  const failed: SourceError[] = []
  const fitting = <Given, Row>(given: readonly Given[], check: (one: Given) => Row): Row[] =>
    given.flatMap(one => {
      try {
        return [check(one)]
      } catch (thrown) {
        if (!(thrown instanceof SourceError)) throw thrown
        fail(thrown)
        return []
      }
    })
  const fail = (error: SourceError): void => {
    failed.push(error)
    refused.push({ field: String(error.facts.field ?? ''), reason: error.message })
  }
  const observations = once(
    fitting(answer.observations, ({ metric, entity, key = '', day, amount, value, observedAt = seenAt }) => {
      const field = [metric, entity, key, day].filter(part => part !== '').join(' ')
      const rule = FIGURES[metric]
      if (rule === undefined)
        throw refuse('unknown', field, 'no metric of this name takes a publisher’s figure')
      if (!rule.of.some(kind => known[kind].has(entity)))
        throw refuse('unknown', field, `the catalog has no ${rule.of.join(' or ')} ${entity}`)
      demandDay(field, day)
      const figure = rule.kept === 'amount' ? amount : value
      if (figure === undefined || (amount !== undefined && value !== undefined))
        throw refuse(
          'number',
          field,
          `it is kept as ${rule.kept === 'amount' ? 'a whole number' : 'a float'}`,
        )
      demandNumber(field, figure)
      if (observedAt > seenAt + MOST_AHEAD_S) throw refuse('future', field, 'it was seen after now')
      return {
        metric,
        entity,
        breakdown: key,
        day,
        amount: amount ?? null,
        value: value ?? null,
        source,
        observedAt: Math.floor(observedAt),
      }
    }),
    row => figureKey(seriesKey(row.metric, row.entity, row.breakdown), row.day),
    textOf,
    fail,
  )
  const prices = once(
    fitting(answer.prices, ({ asset, quote, day, open, high, low, close }) => {
      const field = `price ${asset} ${quote} ${day}`
      if (!/^[A-Za-z0-9.$_-]{1,40}$/.test(asset) || !/^[A-Z]{3,5}$/.test(quote))
        throw refuse('unknown', field, 'these are no names of an asset and a currency')
      demandDay(field, day)
      for (const figure of [open, high, low]) if (figure !== null) demandNumber(field, figure)
      demandNumber(field, close)
      if (close === 0) throw refuse('number', field, 'a price is more than zero')
      return { asset, quote, day, open, high, low, close, source, observedAt: seenAt }
    }),
    row => figureKey(priceSeries(row.asset, row.quote), row.day),
    priceText,
    fail,
  )
  const contractAnswers = (answer.contractAnswers ?? []).map(({ blockId, answer: text, ...read }) => ({
    ...read,
    blockHash: Buffer.from(blockId.replace(/^0x/, ''), 'hex'),
    answer: text ?? '',
    askedAt: seenAt,
  }))
  const tokenWords = words.flatMap(word => {
    const row = { ...word, source, askedAt: seenAt }
    if (word.totalSupply === null || word.totalSupply <= MOST_SUPPLY) return [row]
    fail(refuse('number', `${word.contract} totalSupply`, `${word.totalSupply} is too large to store`))
    const isNamed = word.name !== null || word.symbol !== null || word.decimals !== null
    return isNamed ? [{ ...row, totalSupply: null }] : []
  })
  const poolListings = fitting(listed, pool => {
    const field = `pool ${pool.pool} ${pool.day}`
    demandDay(field, pool.day)
    demandNumber(field, pool.tvlUsd)
    return { ...pool, source, seenAt }
  })
  const [first] = failed
  if (
    first !== undefined &&
    observations.length + prices.length + tokenWords.length + poolListings.length === 0
  )
    throw first
  return { observations, prices, contractAnswers, tokenWords, poolListings, refused }
}

function demandNumber(field: string, figure: bigint | number): void {
  if (typeof figure === 'number' && !Number.isFinite(figure))
    throw refuse('number', field, `${figure} is no number`)
  if (figure < 0) throw refuse('number', field, `${figure} is less than zero`)
  if (typeof figure === 'bigint' && figure > MOST_AMOUNT)
    throw refuse('number', field, `${figure} is too large to store`)
}

/** A figure that is given twice alike counts once; of figures that contradict each other none does. */
function once<Row extends { readonly day: string }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  figureOf: (row: Row) => string,
  fail: (error: SourceError) => void,
): Row[] {
  const known = new Map<string, Row>()
  const contradicted = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row)
    const other = known.get(key)
    if (other === undefined) known.set(key, row)
    else if (figureOf(other) !== figureOf(row) && !contradicted.has(key)) {
      contradicted.add(key)
      fail(
        refuse(
          'contradiction',
          key,
          `it is given as ${figureOf(other).trim()} and as ${figureOf(row).trim()}`,
        ),
      )
    }
  }
  for (const key of contradicted) known.delete(key)
  return [...known.values()]
}

/** As the engine writes them: the shortest text of a float that is read as the same float. */
const textOf = ({ amount, value }: Observation): string => `${amount ?? ''} ${value ?? ''}`
const priceText = ({ open, high, low, close }: Price): string =>
  `${open ?? ''} ${high ?? ''} ${low ?? ''} ${close}`

/** What of it is not held yet, or differs from what is held. A figure that was seen before the one held says nothing new. */
export function newOf({ observations, prices, ...rest }: Checked, held: Held): Checked {
  return {
    ...rest,
    observations: observations.filter(row =>
      isNew(
        held.figures.get(figureKey(seriesKey(row.metric, row.entity, row.breakdown), row.day)),
        textOf(row),
        row.observedAt,
      ),
    ),
    prices: prices.filter(row =>
      isNew(
        held.prices.get(figureKey(priceSeries(row.asset, row.quote), row.day)),
        priceText(row),
        row.observedAt,
      ),
    ),
  }
}

function isNew(kept: Kept | undefined, figure: string, observedAt: number): boolean {
  if (kept === undefined) return true
  return observedAt > kept.observedAt && !isSame(kept.figure, figure)
}

/** Engine and runtime write large and small floats in different forms: `1e21`, `1000000000000000000000`. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [one.split(' '), other.split(' ')]
  return a.length === b.length && a.every((part, i) => part === b[i] || isSameFloat(part, b[i] ?? ''))
}

const isSameFloat = (one: string, other: string): boolean =>
  one !== '' && other !== '' && /[.e]/i.test(one + other) && Number(one) === Number(other)

/** @throws SourceError `sources.backwards` where the newest day of the answer is older than what is held of whom it speaks of. */
export function demandForwards({ observations, prices }: Checked, held: Held): void {
  const series = new Set([
    ...observations.map(row => seriesKey(row.metric, row.entity, row.breakdown)),
    ...prices.map(row => priceSeries(row.asset, row.quote)),
  ])
  const newest = (days: Iterable<string>): string => [...days].reduce((a, b) => (a > b ? a : b), '')
  const answered = newest([...observations, ...prices].map(({ day }) => day))
  const before = newest([...series].map(key => held.newest.get(key)?.day ?? ''))
  if (answered < before)
    throw refuse('backwards', 'day', `its newest day is ${answered}, and ${before} is already stored`)
}
