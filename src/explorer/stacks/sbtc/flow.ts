import { isoOf, type Reader } from '../../readRows.ts'
import { type Lot, type LotMove, readBurnRequests, readLotMoves } from './moves.ts'
import type { FLOW_RESTS } from './vocabulary.ts'

export type FlowStep = {
  /** From 0; the step of the mint is the first. */
  id: number
  /** The step that it came from; null for the mint. */
  from: number | null
  kind: 'mint' | 'transfer' | 'withdrawal' | 'returned' | 'burn'
  /** Who has it after the step; null where it left Stacks. */
  holder: string | null
  /** Satoshis of the deposit that took this step. */
  sat: string
  height: number
  time: string
  txid: string
  requestId: string | null
  /** Of these, how many have gone no further, and why. */
  restSat: string
  rest: (typeof FLOW_RESTS)[number]
}

export type Flow = { steps: FlowStep[]; isWhole: boolean }

const MOST_STEPS = 200
const MOST_ROUNDS = 12

/** A lot under way, with the step by which it came. */
type Open = Lot & { readonly step: number }

type Start = {
  readonly holder: string
  readonly height: number
  readonly eventIndex: number
  readonly timeS: number
  readonly txid: string
  readonly sat: bigint
}

/**
 * Follows an amount from the mint on, first in, first out by holder, through payments and withdrawals. In a contract the coins
 * of many lie together: there it ends, unless `throughContracts`, which applies the same rule to contracts. The amounts at
 * rest add up to what was minted.
 */
export async function followFlow(
  reader: Reader,
  start: Start,
  { throughContracts }: { readonly throughContracts: boolean },
): Promise<Flow> {
  type Draft = Omit<FlowStep, 'sat' | 'restSat' | 'time'> & { sat: bigint; restSat: bigint; timeS: number }
  const steps: Draft[] = []
  const add = (step: Omit<Draft, 'id' | 'restSat'>): number =>
    steps.push({ ...step, id: steps.length, restSat: step.sat }) - 1
  const isPooled = (holder: string) => holder.includes('.') && !throughContracts
  const restOf = (holder: string) => (isPooled(holder) ? 'pooled' : 'held')
  /** Takes an amount off what rests at a step. */
  const take = (id: number, sat: bigint): void => {
    const step = steps[id]
    if (step === undefined) return
    step.restSat -= sat
    if (step.restSat === 0n) step.rest = 'moved'
  }
  const { holder, height, eventIndex, timeS, txid, sat } = start
  const mint = add({
    from: null,
    kind: 'mint',
    holder,
    sat,
    height,
    timeS,
    txid,
    requestId: null,
    rest: restOf(holder),
  })
  let open: Open[] = isPooled(holder) ? [] : [{ step: mint, holder, height, eventIndex, from: 0n, to: sat }]
  let isWhole = true

  for (let round = 0; open.length > 0; round++) {
    if (round === MOST_ROUNDS) {
      isWhole = false
      for (const { step } of open) if (steps[step]) steps[step].rest = 'beyond'
      break
    }
    const moves = await readLotMoves(reader, open)
    const burns = moves.filter(({ action }) => action === 'burn')
    const requests = burns.length === 0 ? [] : await readBurnRequests(reader, burns)
    const requestOf = (move: LotMove) =>
      requests.find(one => one.height === move.height && one.eventIndex === move.eventIndex)
    const next: Open[] = []
    for (const move of moves) {
      const origin = open[move.lot]
      if (origin === undefined) continue
      if (steps.length >= MOST_STEPS) {
        isWhole = false
        if (steps[origin.step]) (steps[origin.step] as Draft).rest = 'beyond'
        continue
      }
      const part = move.to - move.from
      take(origin.step, part)
      const at = { from: origin.step, sat: part, height: move.height, timeS: move.timeS, txid: move.txid }
      if (move.action === 'transfer' && move.recipient !== null) {
        const to = move.recipient
        const step = add({ ...at, kind: 'transfer', holder: to, requestId: null, rest: restOf(to) })
        if (!isPooled(to)) next.push({ ...move, step, holder: to })
        continue
      }
      const request = requestOf(move)
      if (request === undefined) {
        add({ ...at, kind: 'burn', holder: null, requestId: null, rest: 'burned' })
        continue
      }
      const { requestId, status, returned, sender } = request
      const step = add({
        ...at,
        kind: 'withdrawal',
        holder: null,
        requestId,
        rest: status === 'accepted' ? 'paid' : 'waiting',
      })
      if (returned === null) continue
      // The burn is amount, then fee, then what is given back: its last satoshis come again, all of them where it was rejected.
      const cut = status === 'rejected' ? 0n : request.amountSat + (request.feeSat ?? 0n)
      const from = move.from > cut ? move.from : cut
      if (from >= move.to) continue
      take(step, move.to - from)
      const back = add({
        from: step,
        kind: 'returned',
        holder: sender,
        sat: move.to - from,
        height: returned.height,
        timeS: returned.timeS,
        txid: returned.txid,
        requestId,
        rest: restOf(sender),
      })
      if (!isPooled(sender))
        next.push({
          step: back,
          holder: sender,
          height: returned.height,
          eventIndex: returned.eventIndex,
          from: from - cut,
          to: move.to - cut,
        })
    }
    open = next
  }
  return {
    steps: steps.map(({ sat, restSat, timeS, ...step }) => ({
      ...step,
      sat: String(sat),
      restSat: String(restSat),
      time: isoOf(timeS),
    })),
    isWhole,
  }
}
