import { z } from 'zod'
import { type AppFigure, operandsOf, type StacksApp } from '#catalog/index.ts'
import type { ContractAnswer, ContractCall, EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count, WholeText } from './shapes.ts'

const Answer = z.object({
  tip: z.object({ height: Count, id: z.string().regex(/^0x[0-9a-f]{64}$/) }),
  answers: z.record(z.string(), z.unknown()),
  /** Why a call has no answer, by its name. */
  faults: z.record(z.string(), z.string()).optional(),
})
type Answers = Readonly<Record<string, unknown>>

/** An older generation that is read beside the newest has a request of its own: that it goes stops nothing else. */
const DEPRECATED = ' before'
const aboutOf = ({ protocol }: StacksApp, isDeprecated: boolean): string =>
  isDeprecated ? `${protocol}${DEPRECATED}` : protocol

const callsOf = ({ reads }: StacksApp, isDeprecated: boolean): ContractCall[] =>
  reads
    .filter(read => (read.isDeprecated === true) === isDeprecated)
    .map(({ name, contract, function: functionName, arguments: given = [], isOptional = false }) => ({
      name,
      contract,
      function: functionName,
      arguments: given,
      isOptional: isOptional || isDeprecated,
    }))

/** What contracts of applications answer of themselves. */
export const stacksReads: LiveSource = {
  id: 'stacks.reads',
  name: 'Contracts on Stacks: read-only calls',
  url: 'https://docs.stacks.co',
  licence: 'public chain data',
  rank: 2,
  cadenceSeconds: 3600,
  requestsPerMinute: 30,
  about:
    'What contracts of applications answer of themselves as of one block: totals, rates, caps. Asked of the own node, else of the public API; which calls are asked, and which field is which figure, is in the catalog. Each answer is kept with its block in stx_reads.',
  mayBeEmpty: true,
  requests: ({ protocols, stacksApps }) =>
    stacksApps
      .filter(({ protocol }) => protocols.some(({ slug }) => slug === protocol))
      .flatMap(app =>
        [false, true].flatMap(isDeprecated => {
          const calls = callsOf(app, isDeprecated)
          return calls.length === 0
            ? []
            : [{ about: aboutOf(app, isDeprecated), url: 'https://api.hiro.so/v2/info', calls }]
        }),
      ),
  read: ({ about }, json, { catalog, seenAt }) => {
    const what = `Contracts of ${about}`
    const protocol = about.replace(DEPRECATED, '')
    const app = catalog.stacksApps.find(known => known.protocol === protocol)
    const { tip, answers, faults = {} } = shaped(Answer, json, what)
    const parts = createParts(what)
    const calls = app === undefined ? [] : callsOf(app, about.endsWith(DEPRECATED))
    const missing = new Set(
      calls
        .filter(
          ({ name, isOptional }) => answers[name] === undefined || (answers[name] === null && !isOptional),
        )
        .map(({ name }) => name),
    )
    for (const name of missing) parts.refuse(`answers.${name}`, faults[name] ?? 'there is no answer')
    const tokens = new Set(catalog.tokens.map(({ id }) => id))
    const day = dayOf(seenAt)
    const numbers = new Map<string, bigint | undefined>()
    const one = (operand: string): bigint => {
      if (!numbers.has(operand))
        numbers.set(operand, parts.read(WholeText, valueAt(answers, operand), `answers.${operand}`))
      const number = numbers.get(operand)
      if (number === undefined) throw new RefusedOperand()
      return number
    }
    const observations = (app?.figures ?? []).flatMap((figure): EntityFigure[] => {
      const { metric, key, entity = protocol } = figure
      if (entity !== protocol && !tokens.has(entity)) return []
      const read = operandsOf(figure).map(operand => operand.replace(/^-/, '').split('.')[0] ?? '')
      // All of its answers are of this request, and none of them is gone.
      if (!read.every(name => answers[name] !== undefined && answers[name] !== null)) return []
      const worth = worthOf(figure, one)
      return worth === null ? [] : [{ metric, entity, ...(key !== undefined && { key }), day, ...worth }]
    })
    const contractAnswers = calls
      .filter(({ name }) => !missing.has(name))
      .map(
        (call): ContractAnswer => ({
          contract: call.contract,
          functionName: call.function,
          args: JSON.stringify(call.arguments),
          height: tip.height,
          blockId: tip.id,
          answer: answers[call.name] === null ? null : JSON.stringify(answers[call.name]),
        }),
      )
    return parts.answer({ observations, prices: [], contractAnswers })
  },
}

/** Ends the reading of one figure. */
class RefusedOperand extends Error {}

const valueAt = (answers: Answers, operand: string): unknown =>
  operand
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? (at as Answers)[name] : undefined),
      answers,
    )

type Worth = { readonly amount: bigint } | { readonly value: number }

/** A figure as it is kept; null where one of its operands was refused, or where it has no meaning, as a share of nothing. */
function worthOf(figure: AppFigure, one: (operand: string) => bigint): Worth | null {
  try {
    return computed(figure, one)
  } catch (thrown) {
    if (thrown instanceof RefusedOperand) return null
    throw thrown
  }
}

function computed(figure: AppFigure, one: (operand: string) => bigint): Worth | null {
  const sum = (operands: readonly string[]): bigint =>
    operands.reduce(
      (all, operand) => all + (operand.startsWith('-') ? -one(operand.slice(1)) : one(operand)),
      0n,
    )
  if ('amount' in figure) {
    const times = sum(figure.amount) * (figure.times === undefined ? 1n : sum(figure.times))
    const over = figure.over === undefined ? 1n : sum(figure.over)
    // Shares of nothing are nothing.
    return { amount: over === 0n ? 0n : times / over }
  }
  if ('ratio' in figure) {
    const over = (figure.over === undefined ? 1n : sum(figure.over)) * BigInt(figure.per ?? 1)
    return over === 0n ? null : { value: Number(sum(figure.ratio)) / Number(over) }
  }
  const { base, slope1, slope2, kink, debt, assets, reserve } = figure.kinked
  const held = one(assets)
  if (held === 0n) return null
  const utilisation = (one(debt) * ONE_12) / held
  const rate = kinkedRate(
    { base: one(base), slope1: one(slope1), slope2: one(slope2), kink: one(kink) },
    utilisation,
  )
  if (reserve === undefined) return { value: Number(rate) / 1e12 }
  const kept = Number(one(reserve)) / 1e8
  return { value: (Number(rate) / 1e12) * (Number(utilisation) / 1e12) * (1 - kept) }
}

const ONE_12 = 10n ** 12n

/** Annual borrow rate in 1e12ths at a utilisation in 1e12ths, as `ir-calc` of Granite’s linear-kinked-ir-v1 has it. */
export function kinkedRate(
  { base, slope1, slope2, kink }: { base: bigint; slope1: bigint; slope2: bigint; kink: bigint },
  utilisation: bigint,
): bigint {
  if (utilisation === 0n) return 0n
  return utilisation >= kink
    ? (slope2 * (utilisation - kink) + slope1 * kink) / ONE_12 + base
    : (slope1 * utilisation) / ONE_12 + base
}
