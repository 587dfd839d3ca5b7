import { fastPoolMembers, sipBallots, sipTotals } from '#sources/recorded/stacksRecords.ts'

type Side = { readonly total: number; readonly yes: number; readonly no: number }
type Vote = {
  readonly closedAtBitcoinHeight: number
  readonly totalStx: number
  readonly yesStx: number
  readonly noStx: number
  readonly stacked: Side
  readonly liquid: Side
}
type Facts = { readonly sip031: { readonly vote: Vote }; readonly sip033: { readonly vote: Vote } }
/** A file of the snapshot out of recorded ones. `read` gives one of them as text. */
type Derive = (read: (name: string) => string, facts: Facts) => string

const linesOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split(','))
const csvOf = (columns: string, rows: readonly (readonly (string | number)[])[]): string =>
  [columns, ...rows.map(row => row.join(','))].join('\n')

/** By source: recordings that are put together, or written shorter, from what was recorded. */
export const STACKS_DERIVED: Readonly<Record<string, Derive>> = {
  [sipBallots.id]: read =>
    csvOf('sip,lane,voter,voter_name,is_yes,power_ustx,txid,signature', [
      ...linesOf(read('sip_votes.csv')).map(
        ([sip = '', lane = '', voter = '', txid = '', isYes = '', power = '']) => [
          Number(sip),
          lane,
          voter,
          '',
          isYes,
          power,
          txid,
          '',
        ],
      ),
      ...linesOf(read('sip025_signer_votes.csv')).map(
        ([key = '', choice = '', signature = '', name = '']) => [
          25,
          'signer',
          key,
          name,
          String(choice === 'Yes'),
          '',
          '',
          signature,
        ],
      ),
    ]),
  [sipTotals.id]: (_, { sip031, sip033 }) =>
    csvOf(
      'sip,lane,yes_stx,no_stx,stated_stx,closed_burn_height',
      [
        { sip: 31, vote: sip031.vote },
        { sip: 33, vote: sip033.vote },
      ].flatMap(({ sip, vote }) => {
        const all: Side = { total: vote.totalStx, yes: vote.yesStx, no: vote.noStx }
        return Object.entries({ all, stacked: vote.stacked, liquid: vote.liquid }).map(([lane, side]) => [
          sip,
          lane,
          side.yes,
          side.no,
          side.total,
          vote.closedAtBitcoinHeight,
        ])
      }),
    ),
  [fastPoolMembers.id]: read =>
    csvOf(
      'member,from_cycle,to_cycle,amount_ustx',
      runsOfMembers(linesOf(read('fastpool_members_all.csv.gz'))),
    ),
}

/** Runs of cycles in which a member has the same amount; several entries of a cycle are one. */
function runsOfMembers(rows: readonly (readonly string[])[]): (string | number)[][] {
  const byMember = new Map<string, Map<number, bigint>>()
  for (const [cycle, member = '', amount = '0'] of rows) {
    const amounts = byMember.get(member) ?? new Map<number, bigint>()
    byMember.set(member, amounts)
    amounts.set(Number(cycle), (amounts.get(Number(cycle)) ?? 0n) + BigInt(amount))
  }
  return [...byMember].flatMap(([member, amounts]) => {
    const runs: { from: number; to: number; amount: bigint }[] = []
    for (const [cycle, amount] of [...amounts].sort(([a], [b]) => a - b)) {
      const last = runs.at(-1)
      if (last !== undefined && last.to === cycle - 1 && last.amount === amount) last.to = cycle
      else runs.push({ from: cycle, to: cycle, amount })
    }
    return runs.map(({ from, to, amount }) => [member, from, to, String(amount)])
  })
}
