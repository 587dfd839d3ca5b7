import type { StacksBlockDetail } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { grouped, percentText } from '../../format/figure.ts'
import styles from './Stacks.module.css'

type Signers = NonNullable<StacksBlockDetail['signers']>
type Signer = Signers['signers'][number]

const COLUMNS: readonly TableColumn<Signer>[] = [
  {
    key: 'key',
    label: 'Public key',
    value: signer => signer.key,
    cell: signer => <code title={signer.key}>{`${signer.key.slice(0, 10)}…${signer.key.slice(-8)}`}</code>,
  },
  {
    key: 'signed',
    label: 'Signed',
    value: signer => (signer.hasSigned ? 'yes' : 'no'),
    cell: signer => (signer.hasSigned ? 'yes' : <span className={styles.quiet}>no</span>),
  },
  {
    key: 'weight',
    label: 'Weight',
    title: 'Reward set slots. Empty if the set is not indexed, or for a key outside it',
    isNumber: true,
    value: signer => signer.weight,
    cell: signer => (signer.weight === null ? '–' : grouped(String(signer.weight))),
  },
  {
    key: 'share',
    label: 'Of the weight',
    isNumber: true,
    value: signer => signer.weightShare,
    cell: signer => (signer.weightShare === null ? '–' : percentText(signer.weightShare)),
  },
]

const MISSING =
  'no indexed reward set for this cycle, so weights and missing signers are unknown. A node that posts its events reports it with the block that fixes it'

function wordsOf({ cycle, weightShare, isSetHeld, signers }: Signers): string {
  const signed = signers.filter(({ hasSigned }) => hasSigned).length
  if (!isSetHeld) return `${signed} keys signed; ${MISSING}`
  const known = signers.filter(({ weight }) => weight !== null).length
  const share = weightShare === null ? '' : `, with ${percentText(weightShare)} of the weight`
  return `${signed} of the ${known} signers of cycle ${cycle}${share}. A miner sends a block at 70%. Excludes later signatures, so a missing one is not a refusal`
}

/** Who signed a block, by keys recovered from the signatures of its header, and who of its cycle did not. */
export function BlockSigners({ signers: of }: { signers: Signers }) {
  return (
    <TableCard
      id="signers"
      title="Signers"
      sub={of.isTold ? wordsOf(of) : `Signers of cycle ${of.cycle}`}
      rows={of.signers}
      columns={COLUMNS}
      rowKey={signer => signer.key}
      empty={
        of.isTold
          ? 'No key can have made a signature of its header.'
          : 'The source of this block does not report its signatures. A node that posts its events does, the public API does not. Set STACKS_OBSERVER_PORT, or load an archive of events.'
      }
    />
  )
}
