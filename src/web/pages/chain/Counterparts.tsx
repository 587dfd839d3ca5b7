import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CounterpartView } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { shortened } from '../../blocks/CopyText.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { grouped } from '../../format/figure.ts'

/** What it is; where nothing stands opposite, why. */
const WORDS: Record<CounterpartView['role'], { readonly label: string; readonly none?: string }> = {
  won_tenure: { label: 'Block commit, tenure won' },
  lost_tenure: { label: 'Block commit', none: 'It won no tenure.' },
  not_accepted: { label: 'Block commit', none: 'The Stacks node did not accept it.' },
  carried_out: { label: 'Operation made on Bitcoin' },
  sbtc_deposit: { label: 'Deposit into sBTC' },
  sbtc_sweep: { label: 'Sweep of the sBTC signers' },
  sbtc_withdrawal: { label: 'Withdrawal from sBTC' },
  merge_mined: { label: 'Merge mining: its header proves' },
  no_proof: { label: 'Merge mining', none: 'No Rootstock block took this header.' },
}

const NAMES = { bitcoin: 'Bitcoin', stacks: 'Stacks', rootstock: 'Rootstock' } as const

type Props = {
  counterparts: readonly CounterpartView[]
  /** The transaction itself, where it may be one of sBTC. */
  txid?: string
}

/** Where this is met again on another chain: a line each, with its link. Nothing where nothing is known. */
export function Counterparts({ counterparts, txid }: Props) {
  if (counterparts.length === 0) return null
  const byLabel = Map.groupBy(counterparts, ({ role }) => WORDS[role].label)
  return (
    <Card
      title="On other chains"
      sub="As far as their blocks are indexed"
      foot={
        txid && counterparts.some(({ role }) => role.startsWith('sbtc_')) ? (
          <Link to={`/stacks/sbtc?of=${txid}`}>Follow it through sBTC</Link>
        ) : undefined
      }
    >
      <Facts
        facts={[...byLabel].map(([label, ones]) => ({
          label,
          isWide: true,
          value: ones.map(one => (
            <span key={`${one.role} ${one.id}`}>
              {lineOf(one)}
              <br />
            </span>
          )),
        }))}
      />
    </Card>
  )
}

function lineOf({ role, chain, kind, id }: CounterpartView): ReactNode {
  if (id === null) return WORDS[role].none
  const name =
    kind === 'block' ? `${NAMES[chain]} block ${grouped(id)}` : `${NAMES[chain]} transaction ${shortened(id)}`
  return <Link to={`/${chain}/${kind}/${id}`}>{name}</Link>
}
