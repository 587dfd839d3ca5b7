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
/** What a file of the snapshot is made of: recorded ones as text, facts, and the UTC day of a Bitcoin height. */
type From = {
  readonly read: (name: string) => string
  readonly facts: Facts
  readonly dayOf: (height: number) => string
}
type Derive = (from: From) => string

/**
 * Whole STX and accounts as the texts of SIP-021 and SIP-027 state them; the votes closed with cycles 79 and 90.
 * Source: stacksgov/sips@1f9e1b0 sips/sip-021/sip-021-nakamoto.md, sips/sip-027/sip-027-non-sequential-multisig-transactions.md.
 */
const EARLY_VOTES: readonly (readonly (string | number)[])[] = [
  [21, 'all', '', '', 177_166_148, '', '', 834_049],
  [21, 'solo', 159_087_747, 0, '', 28, 0, 834_049],
  [21, 'pool', 16_524_829, 0, '', 370, 0, 834_049],
  [21, 'dao', 1_553_301, 271, '', 2303, 16, 834_049],
  [27, 'all', '', '', 118_632_231, '', '', 857_149],
  [27, 'solo', 3_449_000, 0, '', 1, 0, 857_149],
  [27, 'pool', 114_914_556, 0, '', 75, 0, 857_149],
  [27, 'dao', 268_674, 17, '', 157, 3, 857_149],
]

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
  [sipBallots.id]: ({ read }) =>
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
  [sipTotals.id]: ({ facts: { sip031, sip033 }, dayOf }) =>
    csvOf('sip,lane,yes_stx,no_stx,stated_stx,yes_accounts,no_accounts,closed_burn_height,closed_day', [
      ...EARLY_VOTES.map(row => [...row, dayOf(Number(row.at(-1)))]),
      ...[
        { sip: 31, vote: sip031.vote },
        { sip: 33, vote: sip033.vote },
      ].flatMap(({ sip, vote }) => {
        const all: Side = { total: vote.totalStx, yes: vote.yesStx, no: vote.noStx }
        const closed = vote.closedAtBitcoinHeight
        return Object.entries({ all, stacked: vote.stacked, liquid: vote.liquid }).map(
          ([lane, { yes, no, total }]) => [sip, lane, yes, no, total, '', '', closed, dayOf(closed)],
        )
      }),
    ]),
  [fastPoolMembers.id]: ({ read }) =>
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
