import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { StacksTableAnswer } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { type Fact, Facts } from '../../blocks/Facts.tsx'
import { dayText, timeText } from '../../format/day.ts'
import { grouped } from '../../format/figure.ts'
import { Sip } from './Sip033Words.tsx'
import styles from './Stacks.module.css'

type Row = StacksTableAnswer['rows'][number]
type Table = StacksTableAnswer | undefined

/** The vote as the text of the proposal states it, against the bar that it set. */
export function Sip033Vote({ results }: { results: Table }) {
  const lane = (name: string) => results?.rows.find(row => row.name === 'SIP-033' && row.lane === name)
  const [all, stacked, liquid] = [lane('all'), lane('stacked'), lane('liquid')]
  return (
    <Card title="The vote" sub="As the text of the proposal states it; more below">
      <Facts
        facts={[
          { label: 'Outcome', value: all && `Accepted, ${share(all)} in favor`, isWide: true },
          {
            label: 'Stacked STX: at least 80 million vote, 80 % of them in favor',
            value: stacked && votes(stacked),
            isWide: true,
          },
          { label: 'Liquid STX: 80 % in favor', value: liquid && votes(liquid), isWide: true },
          {
            label: 'Closed',
            value: all && `At the end of Bitcoin block 921,445, ${dayText(String(all.closed_day))}`,
            isWide: true,
          },
          {
            label: 'Addresses',
            value: '185: 79 through the ballot site, 36 by dust in STX, 70 by bitcoin',
            isWide: true,
          },
        ]}
      />
      <p className={styles.note}>
        The 250 STX against were a test of the voting site by who built it. What SIP-031 mints may not vote.
        Nobody lists the ballots, so they are not counted again here. The rider was not voted on: it is
        ratified with <Sip path="sip-033/sip-033-clarity4.md" number={33} />.
      </p>
    </Card>
  )
}

/** With the six digits of the proposal: rounded to fewer, all would be in favour. */
const share = (row: Row): string => `${Number((Number(row.yes_share) * 100).toFixed(6))} %`
const votes = (row: Row): string =>
  `${grouped(String(row.stated_stx))} STX voted, ${row.no_stx === '0' ? 'all' : share(row)} in favor`

/** When it came into force, what came after, and how much of the time since is held here. */
export function Sip033Activation({ activation }: { activation: Table }) {
  const row = activation?.rows[0]
  return (
    <Card title="In force since" sub="Epoch 3.3 of the main network">
      <Facts facts={activationFacts(row)} />
      <p className={styles.note}>
        First planned for 6 November 2025, 16:00 UTC, and postponed by five days because of a bug found in
        late testing. Older versions remain available: a contract can name its version, and contracts without
        one get the latest.
      </p>
    </Card>
  )
}

function activationFacts(row: Row | undefined): Fact[] {
  const wide = (label: string, value: ReactNode): Fact => ({ label, value, isWide: true })
  return [
    wide('Bitcoin block', '923,222, aimed at 16:00 UTC on 11 November 2025'),
    wide('First Stacks block under it', firstBlock(row)),
    wide('Indexed since', heldText(row)),
    wide('After it', 'Clarity 5 from Bitcoin block 943,333, which brings no word; Clarity 6 from 960,230'),
  ]
}

function firstBlock(row: Row | undefined): ReactNode {
  if (row?.first_height == null) return 'Block or previous block not indexed'
  const height = String(row.first_height)
  return (
    <>
      <Link to={`/stacks/block/${height}`}>{grouped(height)}</Link>, {timeText(String(row.first_time))}
    </>
  )
}

function heldText(row: Row | undefined): ReactNode {
  const how = (
    <>
      load the rest with <code className={styles.whole}>assay backfill --chain stacks --from … --to …</code>
    </>
  )
  if (row === undefined || row.from_day === null) return <>No block; {how}</>
  return (
    <>
      {grouped(String(row.blocks))} blocks, {dayText(String(row.from_day))} to {dayText(String(row.to_day))};{' '}
      {grouped(String(row.whole_days))} of {grouped(String(row.days))} days whole
      {Number(row.whole_days) < Number(row.days) - 1 && <>. {how}</>}
    </>
  )
}

export function Sip034() {
  return (
    <Card
      title="The rider"
      sub={
        <>
          <Sip path="sip-034/sip-034.md" number={34} />: extend a tenure by one budget
        </>
      }
    >
      <p className={styles.note}>
        Running calls uses up five budgets of a tenure: running time, reads, bytes read, writes, bytes
        written. When one ran out, signers could only let a miner reset all five. Since epoch 3.3 a change of
        tenure may name the one that it resets, so that a shortage of reads opens no room for writes. The
        chart of extensions shows how often each is named. The text of the rider numbers the causes otherwise
        than the node; what is shown is what the node means.
      </p>
    </Card>
  )
}
