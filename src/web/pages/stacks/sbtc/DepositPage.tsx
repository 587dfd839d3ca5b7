import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { SbtcDepositDetail } from '#http/contract.ts'
import { asksAnew } from '../../../assay/address.ts'
import { Card } from '../../../blocks/Card.tsx'
import { CopyText, shortened } from '../../../blocks/CopyText.tsx'
import { Facts } from '../../../blocks/Facts.tsx'
import { HeadingBlock } from '../../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../../blocks/load/chainMark.server.ts'
import { exactBtc, grouped } from '../../../format/figure.ts'
import { PageError } from '../../../shell/PageError.tsx'
import { FileLink } from '../../../ui/Button.tsx'
import { answering } from '../../answering.server.ts'
import { pageMeta } from '../../pageMeta.ts'
import { Principal } from '../Principal.tsx'
import styles from '../Stacks.module.css'
import { FlowTable } from './FlowTable.tsx'
import { PlaceLinks } from './links.tsx'
import { WithdrawalsTable } from './SbtcTables.tsx'
import { Timeline, type TimelineStep } from './Timeline.tsx'
import { DEPOSIT_STATUS, depositPath, ORIGIN, usualText, waitText } from './words.ts'

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const asked = params.deposit ?? ''
  const throughContracts = url.searchParams.get('through') === 'contracts'
  const detail = await answering(`Deposit ${asked.slice(0, 12)} into sBTC`, () =>
    context.get(apiContext).stacks.sbtc.deposit(asked, { throughContracts }),
  )
  return { detail, mark: chainMark(detail.asOf, url), publicUrl: context.get(siteContext).publicUrl }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, key => key === 'through')
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { deposit } = loaderData.detail
  return pageMeta({
    title: `Deposit ${shortened(deposit.bitcoinTxid)}:${deposit.vout} into sBTC`,
    description: questionOf(deposit),
    path: depositPath(deposit.id),
    publicUrl: loaderData.publicUrl,
  })
}

type Deposit = SbtcDepositDetail['deposit']

const questionOf = ({ status, mintedSat, depositSat }: Deposit): string =>
  status === 'minted'
    ? `${exactBtc(mintedSat ?? '0')} minted as sBTC, traced from Bitcoin to Stacks, by holder, and back.`
    : `${depositSat === null ? 'Bitcoin' : exactBtc(depositSat)} received by the sBTC signers and not minted yet.`

/** One deposit of bitcoin, followed from Bitcoin through Stacks and back. */
export default function DepositPage() {
  const { detail, mark } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const { deposit, flow, withdrawals } = detail
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`Deposit ${shortened(deposit.bitcoinTxid)}:${deposit.vout}`}
        question={questionOf(deposit)}
        mark={mark}
      >
        <FileLink
          icon="code"
          label="This deposit as JSON"
          href={`/api/v1/stacks/sbtc/deposits/${deposit.id}`}
        />
      </HeadingBlock>
      <Card title="Deposit" sub="With the delay of each step, and what is usual beside it">
        <Timeline steps={stepsOf(detail)} />
      </Card>
      <Card title="The deposit">
        <Facts
          facts={[
            {
              label: 'Output on Bitcoin',
              value: <CopyText text={deposit.id} what="the output" />,
              isWide: true,
            },
            { label: 'State', value: DEPOSIT_STATUS[deposit.status] },
            {
              label: 'Deposit of',
              value: deposit.origin ? ORIGIN[deposit.origin] : 'not reported before the mint',
            },
            { label: 'Minted', value: deposit.mintedSat === null ? '–' : exactBtc(deposit.mintedSat) },
            { label: 'Minted to', value: <Principal of={deposit.recipient} /> },
            {
              label: 'Value on Bitcoin',
              value: deposit.depositSat === null ? 'its block is not indexed' : exactBtc(deposit.depositSat),
            },
            {
              label: 'Reserved for the fee',
              value: deposit.feeSat === null ? '–' : `${grouped(deposit.feeSat)} sat`,
            },
            {
              label: 'Votes of the signers',
              value: 'The registry writes them down for withdrawals, not for deposits',
            },
          ]}
        />
      </Card>
      {flow && <FlowTable flow={flow} search={search} />}
      {!flow && deposit.status === 'minted' && (
        <Card title="Where it went on Stacks">
          <p className={styles.note}>
            The mint is not in the indexed blocks, only its registry event, so it cannot be traced.
          </p>
        </Card>
      )}
      {withdrawals.length > 0 && (
        <WithdrawalsTable
          withdrawals={withdrawals}
          title="Withdrawals funded from it"
          sub="Amounts are those of the whole request"
        />
      )}
    </div>
  )
}

function stepsOf({ deposit, typical }: SbtcDepositDetail): TimelineStep[] {
  const isDepositHeld = deposit.depositTime !== null
  const isSweepHeld = deposit.sweepTime !== null
  const miner = deposit.origin === 'miner'
  const usual = (what: Parameters<typeof usualText>[1]) => (miner ? undefined : usualText(typical, what))
  return [
    {
      chain: 'Bitcoin',
      title: 'Deposit',
      time: deposit.depositTime,
      isOpen: !isDepositHeld,
      at: (
        <PlaceLinks
          chain="bitcoin"
          height={deposit.depositHeight}
          txid={deposit.bitcoinTxid}
          isHeld={isDepositHeld}
        />
      ),
      text:
        deposit.depositSat === null ? undefined : `${exactBtc(deposit.depositSat)}, output ${deposit.vout}`,
    },
    {
      chain: 'Bitcoin',
      title: 'Taken in by the signers',
      time: deposit.sweepTime,
      isOpen: !isSweepHeld,
      at: (
        <PlaceLinks
          chain="bitcoin"
          height={deposit.sweepHeight}
          txid={deposit.sweepTxid}
          isHeld={isSweepHeld}
        />
      ),
      text: deposit.feeSat === null ? undefined : `Its part of the fee: ${grouped(deposit.feeSat)} sat`,
      wait: waitText(deposit.blocksToSweep, null),
      usual: usual('deposit_to_sweep_blocks'),
    },
    {
      chain: 'Stacks',
      title: deposit.status === 'minted' ? 'Minted' : 'Not minted yet',
      time: deposit.mintTime,
      isOpen: deposit.status !== 'minted',
      at:
        deposit.mintHeight === null ? undefined : (
          <PlaceLinks chain="stacks" height={deposit.mintHeight} txid={deposit.mintTxid} />
        ),
      text:
        deposit.mintedSat === null ? (
          'The registry reports no mint in the indexed blocks.'
        ) : (
          <>
            {exactBtc(deposit.mintedSat)} to <Principal of={deposit.recipient} />
          </>
        ),
      wait: (() => {
        const text = waitText(deposit.blocksToMint, deposit.secondsToMint)
        return text && `${text} since the deposit`
      })(),
      usual: usual('deposit_to_mint_seconds'),
    },
  ]
}

export const ErrorBoundary = PageError
