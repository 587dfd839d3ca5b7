import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { SbtcWithdrawalDetail } from '#http/contract.ts'
import { Card } from '../../../blocks/Card.tsx'
import { CopyText } from '../../../blocks/CopyText.tsx'
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
import { PlaceLinks } from './links.tsx'
import { Timeline, type TimelineStep } from './Timeline.tsx'
import { usualText, votesText, WITHDRAWAL_STATUS, waitText, withdrawalPath } from './words.ts'

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const asked = params.request ?? ''
  const detail = await answering(`Withdrawal ${asked.slice(0, 20)} of sBTC`, () =>
    context.get(apiContext).stacks.sbtc.withdrawal(asked),
  )
  return { detail, mark: chainMark(detail.asOf, url), publicUrl: context.get(siteContext).publicUrl }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { withdrawal } = loaderData.detail
  return pageMeta({
    title: `Withdrawal ${grouped(withdrawal.requestId)} of sBTC`,
    description: questionOf(withdrawal),
    path: withdrawalPath(withdrawal.requestId),
    publicUrl: loaderData.publicUrl,
  })
}

type Withdrawal = SbtcWithdrawalDetail['withdrawal']

const questionOf = ({ amountSat, status }: Withdrawal): string =>
  `${amountSat === null ? 'sBTC' : exactBtc(amountSat)} to be had as bitcoin again: ${WITHDRAWAL_STATUS[status]}.`

/** One withdrawal, from its request to its payment on Bitcoin or its rejection. */
export default function WithdrawalPage() {
  const { detail, mark } = useLoaderData<typeof loader>()
  const { withdrawal } = detail
  const { feeSat, maxFeeSat, paidSat, isPaidAsAsked } = withdrawal
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`Withdrawal ${grouped(withdrawal.requestId)}`}
        question={questionOf(withdrawal)}
        mark={mark}
      >
        <FileLink
          icon="code"
          label="This withdrawal as JSON"
          href={`/api/v1/stacks/sbtc/withdrawals/${withdrawal.requestId}`}
        />
      </HeadingBlock>
      <Card title="Withdrawal" sub="With the delay of each step, and what is usual beside it">
        <Timeline steps={stepsOf(detail)} />
      </Card>
      <Card title="The withdrawal">
        <Facts
          facts={[
            {
              label: 'To the Bitcoin address',
              value: withdrawal.recipient ? (
                <CopyText text={withdrawal.recipient} what="the address" />
              ) : (
                'its request is not indexed'
              ),
              isWide: true,
            },
            { label: 'Asked by', value: <Principal of={withdrawal.sender} /> },
            {
              label: 'Asked for',
              value: withdrawal.amountSat === null ? '–' : exactBtc(withdrawal.amountSat),
            },
            { label: 'Most for the fee', value: maxFeeSat === null ? '–' : `${grouped(maxFeeSat)} sat` },
            { label: 'Taken for the fee', value: feeSat === null ? '–' : `${grouped(feeSat)} sat` },
            {
              label: 'Given back of the fee',
              value:
                feeSat === null || maxFeeSat === null
                  ? '–'
                  : `${grouped(String(BigInt(maxFeeSat) - BigInt(feeSat)))} sat`,
            },
            {
              label: 'Paid on Bitcoin',
              value:
                paidSat === null
                  ? '–'
                  : `${exactBtc(paidSat)}${isPaidAsAsked === false ? ', not as requested' : isPaidAsAsked ? ', as requested' : ''}`,
            },
            { label: 'Votes of the signers', value: votesText(withdrawal) ?? 'none yet' },
          ]}
        />
      </Card>
    </div>
  )
}

function stepsOf({ withdrawal, typical }: SbtcWithdrawalDetail): TimelineStep[] {
  const { status, recipient, bitcoinTxid, sweepTime } = withdrawal
  const asked: TimelineStep = {
    chain: 'Stacks',
    title: 'Asked for',
    time: withdrawal.requestTime,
    isOpen: withdrawal.requestTime === null,
    at:
      withdrawal.requestHeight === null ? undefined : (
        <PlaceLinks chain="stacks" height={withdrawal.requestHeight} txid={withdrawal.requestTxid} />
      ),
    text:
      withdrawal.requestTime === null
        ? 'The request is in a block that is not indexed.'
        : `At Bitcoin block ${grouped(String(withdrawal.requestBurnHeight ?? 0))}; the sBTC is locked from here on.`,
  }
  const votes = votesText(withdrawal)
  if (status === 'pending')
    return [
      asked,
      {
        chain: 'Bitcoin',
        title: 'Not paid yet',
        time: null,
        isOpen: true,
        text: 'The registry reports neither payment nor rejection in the indexed blocks.',
        usual: usualText(typical, 'request_to_payment_seconds'),
      },
    ]
  const settled: TimelineStep = {
    chain: 'Stacks',
    title: status === 'accepted' ? 'Settled, the sBTC destroyed' : 'Rejected, sBTC returned',
    time: withdrawal.settledTime,
    at: <PlaceLinks chain="stacks" height={withdrawal.settledHeight} txid={withdrawal.settledTxid} />,
    text: votes,
  }
  if (status === 'rejected') return [asked, settled]
  return [
    asked,
    {
      chain: 'Bitcoin',
      title: 'Paid',
      time: sweepTime,
      isOpen: sweepTime === null,
      at: (
        <PlaceLinks
          chain="bitcoin"
          height={withdrawal.sweepHeight}
          txid={withdrawal.sweepTxid ?? bitcoinTxid}
          isHeld={sweepTime !== null}
        />
      ),
      text: recipient && `Output ${withdrawal.vout ?? '–'} to ${recipient}`,
      wait: waitText(withdrawal.blocksToPayment, withdrawal.secondsToPayment),
      usual: usualText(typical, 'request_to_payment_seconds'),
    },
    settled,
  ]
}

export const ErrorBoundary = PageError
