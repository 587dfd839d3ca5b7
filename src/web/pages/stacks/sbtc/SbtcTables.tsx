import { Link } from 'react-router'
import type { SbtcDepositView, SbtcWithdrawalView } from '#http/contract.ts'
import { shortened } from '../../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../../blocks/TableCard.tsx'
import { addressWith } from '../../../blocks/view.ts'
import { durationText, timeText } from '../../../format/day.ts'
import { btcCell, grouped } from '../../../format/figure.ts'
import { Segmented } from '../../../ui/Segmented.tsx'
import { pagingFoot } from '../Paging.tsx'
import { Principal } from '../Principal.tsx'
import { principalText } from '../principal.ts'
import styles from './Sbtc.module.css'
import { DEPOSIT_STATUS, depositPath, ORIGIN, WITHDRAWAL_STATUS, withdrawalPath } from './words.ts'

const DEPOSITS: readonly TableColumn<SbtcDepositView>[] = [
  {
    key: 'deposit',
    label: 'Deposit',
    value: deposit => deposit.id,
    cell: deposit => (
      <Link to={depositPath(deposit.id)} title={deposit.id}>
        <code>
          {shortened(deposit.bitcoinTxid, 6)}:{deposit.vout}
        </code>
      </Link>
    ),
  },
  {
    key: 'status',
    label: 'State',
    value: deposit => DEPOSIT_STATUS[deposit.status],
    cell: deposit => (
      <span className={deposit.status === 'swept' ? styles.waits : undefined}>
        {DEPOSIT_STATUS[deposit.status]}
      </span>
    ),
  },
  {
    key: 'time',
    label: 'Minted',
    value: deposit => deposit.mintTime,
    cell: deposit => (deposit.mintTime ? timeText(deposit.mintTime) : '–'),
  },
  {
    key: 'value',
    label: 'Deposit, BTC',
    isNumber: true,
    value: deposit => (deposit.depositSat === null ? null : Number(deposit.depositSat)),
    cell: deposit => (deposit.depositSat === null ? '–' : btcCell(deposit.depositSat)),
  },
  {
    key: 'minted',
    label: 'sBTC',
    isNumber: true,
    value: deposit => (deposit.mintedSat === null ? null : Number(deposit.mintedSat)),
    cell: deposit => (deposit.mintedSat === null ? '–' : btcCell(deposit.mintedSat)),
  },
  {
    key: 'fee',
    label: 'Fee, sat',
    isNumber: true,
    value: deposit => (deposit.feeSat === null ? null : Number(deposit.feeSat)),
    cell: deposit => (deposit.feeSat === null ? '–' : grouped(deposit.feeSat)),
  },
  {
    key: 'blocks',
    label: 'Blocks to mint',
    isNumber: true,
    isOptional: true,
    title: 'Bitcoin blocks from the deposit to the tenure of the mint',
    value: deposit => deposit.blocksToMint,
  },
  {
    key: 'seconds',
    label: 'Time to mint',
    isNumber: true,
    value: deposit => deposit.secondsToMint,
    cell: deposit => (deposit.secondsToMint === null ? '–' : durationText(deposit.secondsToMint)),
  },
  {
    key: 'recipient',
    label: 'Minted to',
    value: deposit => deposit.recipient && principalText(deposit.recipient),
    cell: deposit => <Principal of={deposit.recipient} />,
  },
  {
    key: 'origin',
    label: 'Deposit of',
    value: deposit => deposit.origin && ORIGIN[deposit.origin],
  },
]

type DepositsProps = {
  deposits: readonly SbtcDepositView[]
  next: string | null
  isLater: boolean
  search: string
  origin: string
}

/** What brings in blocks with sBTC in them. */
const REMEDY =
  'sBTC took its first deposits in December 2024. With internet, Stacks blocks come from the public API, latest first. Load older ones with “assay backfill --chain stacks --from … --to …”. The Bitcoin side needs a Bitcoin node.'

/** Deposits, those that wait for their mint first. */
export function DepositsTable({ deposits, next, isLater, search, origin }: DepositsProps) {
  const choice = (value: string, label: string) => ({
    value,
    label,
    to: addressWith(search, { origin: value || undefined, before: undefined }),
  })
  return (
    <TableCard
      id="deposits"
      title="Deposits"
      sub="Swept but not minted first, then newest. Before the sweep, a deposit looks like any payment on Bitcoin"
      rows={deposits}
      columns={DEPOSITS}
      rowKey={deposit => deposit.id}
      controls={
        <Segmented
          label="Deposits shown"
          current={origin}
          choices={[
            choice('', 'All'),
            choice('waiting', 'Waiting'),
            choice('user', 'Users'),
            choice('miner', 'Miners’ bids'),
          ]}
        />
      }
      empty={
        origin === '' ? `No deposits in the indexed blocks. ${REMEDY}` : 'No indexed deposits of this kind.'
      }
      foot={pagingFoot({
        next,
        isLater,
        param: 'before',
        words: { first: 'Newest deposits', next: 'Older deposits' },
      })}
    />
  )
}

const WITHDRAWALS: readonly TableColumn<SbtcWithdrawalView>[] = [
  {
    key: 'request',
    label: 'Request',
    value: one => Number(one.requestId),
    cell: one => <Link to={withdrawalPath(one.requestId)}>{grouped(one.requestId)}</Link>,
  },
  {
    key: 'status',
    label: 'State',
    value: one => WITHDRAWAL_STATUS[one.status],
    cell: one => (
      <span
        className={
          one.status === 'pending' ? styles.waits : one.status === 'rejected' ? styles.refused : undefined
        }
      >
        {WITHDRAWAL_STATUS[one.status]}
      </span>
    ),
  },
  {
    key: 'time',
    label: 'Asked for',
    value: one => one.requestTime,
    cell: one => (one.requestTime ? timeText(one.requestTime) : 'before the indexed blocks'),
  },
  {
    key: 'amount',
    label: 'BTC',
    isNumber: true,
    value: one => (one.amountSat === null ? null : Number(one.amountSat)),
    cell: one => (one.amountSat === null ? '–' : btcCell(one.amountSat)),
  },
  {
    key: 'fee',
    label: 'Fee, sat',
    isNumber: true,
    value: one => (one.feeSat === null ? null : Number(one.feeSat)),
    cell: one => (one.feeSat === null ? '–' : grouped(one.feeSat)),
  },
  {
    key: 'votes',
    label: 'Not for it',
    isNumber: true,
    title: 'Signers that did not vote for it, where votes are recorded',
    value: one => one.votesNotFor,
    cell: one =>
      one.votesNotFor === null
        ? '–'
        : one.signerCount === null
          ? String(one.votesNotFor)
          : `${one.votesNotFor} of ${one.signerCount}`,
  },
  {
    key: 'blocks',
    label: 'Blocks to payment',
    isNumber: true,
    value: one => one.blocksToPayment,
  },
  {
    key: 'seconds',
    label: 'Time to payment',
    isNumber: true,
    value: one => one.secondsToPayment,
    cell: one => (one.secondsToPayment === null ? '–' : durationText(one.secondsToPayment)),
  },
  {
    key: 'sender',
    label: 'Asked by',
    value: one => one.sender && principalText(one.sender),
    cell: one => <Principal of={one.sender} />,
  },
]

type WithdrawalsProps = {
  withdrawals: readonly SbtcWithdrawalView[]
  next?: string | null
  isLater?: boolean
  /** With a choice by state, where the list is one of all. */
  filter?: { search: string; status: string }
  title?: string
  sub?: string
}

/** Withdrawals, those that wait for the signers first. */
export function WithdrawalsTable({
  withdrawals,
  next = null,
  isLater = false,
  filter,
  title = 'Withdrawals',
  sub = 'Pending at the signers first, then newest',
}: WithdrawalsProps) {
  const choice = (value: string, label: string) => ({
    value,
    label,
    to: addressWith(filter?.search ?? '', { status: value || undefined, earlier: undefined }),
  })
  return (
    <TableCard
      id="withdrawals"
      title={title}
      sub={sub}
      rows={withdrawals}
      columns={WITHDRAWALS}
      rowKey={one => one.requestId}
      controls={
        filter && (
          <Segmented
            label="Withdrawals shown"
            current={filter.status}
            choices={[
              choice('', 'All'),
              choice('pending', 'Waiting'),
              choice('accepted', 'Paid'),
              choice('rejected', 'Rejected'),
            ]}
          />
        )
      }
      empty={
        filter?.status === ''
          ? `No withdrawals in the indexed blocks. ${REMEDY}`
          : 'No indexed withdrawals of this kind.'
      }
      foot={pagingFoot({
        next,
        isLater,
        param: 'earlier',
        words: { first: 'Newest withdrawals', next: 'Older withdrawals' },
      })}
    />
  )
}
