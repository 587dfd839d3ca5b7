import { REWARD_CYCLES } from '#kernel/stacks.ts'
import type { BondRow, StakeRow } from './read.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH } = REWARD_CYCLES
export const cycleOf = (burnHeight: number): number => Math.floor((burnHeight - FIRST) / LENGTH)

export type Staked = { cycle: number; ustx: bigint; signer: string }

/** What was staked for each cycle up to `last`: a later word on a cycle holds; what is unstaked counts to its unlock. */
export function stakedByCycle(rows: readonly StakeRow[], last: number): Staked[] {
  const staked = new Map<number, Staked>()
  for (const { event, amountUstx, firstCycle, unlockCycle, burnHeight, signer } of rows) {
    const unlock = unlockCycle === null ? last + 1 : Number(unlockCycle)
    for (const cycle of [...staked.keys()]) if (event !== 'stake' && cycle >= unlock) staked.delete(cycle)
    if (event === 'unstake') continue
    const from = event === 'stake' && firstCycle !== null ? Number(firstCycle) : cycleOf(burnHeight) + 1
    for (let cycle = from; cycle < unlock && cycle <= last; cycle++)
      staked.set(cycle, { cycle, ustx: BigInt(amountUstx), signer })
  }
  return [...staked.values()]
}

export type Bonded = { cycle: number; bondIndex: string; sat: bigint; targetBps: string | null }

/** Bitcoin in each bond by cycle, up to `last`: in from the bond’s first cycle, out with the cycle after it was taken out. */
export function bondedByCycle(rows: readonly BondRow[], last: number): Bonded[] {
  const byBond = Map.groupBy(rows, ({ bondIndex }) => bondIndex)
  return [...byBond].flatMap(([bondIndex, moves]) => {
    const terms = moves.find(({ firstCycle, unlockCycle }) => firstCycle !== null && unlockCycle !== null)
    if (terms === undefined) return []
    const cycles: Bonded[] = []
    for (let cycle = Number(terms.firstCycle); cycle < Number(terms.unlockCycle) && cycle <= last; cycle++) {
      const sat = moves.reduce((sum, move) => {
        if (move.event === 'register-for-bond') return sum + BigInt(move.sat)
        return cycleOf(move.burnHeight) < cycle ? sum - BigInt(move.sat) : sum
      }, 0n)
      if (sat > 0n) cycles.push({ cycle, bondIndex, sat, targetBps: terms.targetBps })
    }
    return cycles
  })
}
