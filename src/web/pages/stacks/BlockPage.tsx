import { type LoaderFunctionArgs, type MetaArgs, redirect, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { counted } from '../../format/counted.ts'
import { timeText } from '../../format/day.ts'
import { exactStx, grouped } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink, IconLink } from '../../ui/Button.tsx'
import { answering, blocksOf } from '../answering.server.ts'
import { Counterparts } from '../chain/Counterparts.tsx'
import { pageMeta } from '../pageMeta.ts'
import { BlockSigners } from './BlockSigners.tsx'
import { costFacts } from './costFacts.ts'
import { pagingFoot } from './Paging.tsx'
import { Principal } from './Principal.tsx'
import styles from './Stacks.module.css'
import { TxsTable } from './TxsTable.tsx'
import { told } from './told.ts'
import { sourceText } from './words.ts'

const TXS = 100

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const { stacks } = context.get(apiContext)
  const asked = params.block ?? ''
  const text = url.searchParams.get('after') ?? ''
  const after = /^\d{1,9}$/.test(text) ? Number(text) : undefined
  const block = await answering(
    `Stacks block ${asked.slice(0, 70)}`,
    () => stacks.block(asked),
    blocksOf('stacks'),
  )
  // One block, one address: a hash leads to the height while the block is canonical.
  if (asked !== String(block.height)) throw redirect(`/stacks/block/${block.height}${url.search}`, 302)
  const txs = await answering('Its transactions', () =>
    stacks.blockTxs(asked, { limit: TXS, ...(after !== undefined && { after }) }),
  )
  return {
    block,
    mark: chainMark(block.asOf, url),
    txs: txs.items,
    next: txs.next,
    after,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { block, publicUrl } = loaderData
  const height = grouped(String(block.height))
  return pageMeta({
    title: `Stacks block ${height}`,
    description: `Stacks block ${height} of ${timeText(block.time)}: ${counted(block.txCount, 'transaction')}, ${exactStx(block.feeUstx)} in fees, on Bitcoin block ${grouped(String(block.burnHeight))}.`,
    path: `/stacks/block/${block.height}`,
    publicUrl,
  })
}

type Reward = { recipient: string; coinbaseUstx: string; feeUstx: string }
const REWARDS: readonly TableColumn<Reward>[] = [
  {
    key: 'recipient',
    label: 'Paid to',
    value: reward => reward.recipient,
    cell: reward => <Principal of={reward.recipient} />,
  },
  {
    key: 'coinbase',
    label: 'Coinbase, STX',
    isNumber: true,
    value: reward => Number(reward.coinbaseUstx) / 1e6,
    cell: reward => exactStx(reward.coinbaseUstx).replace(' STX', ''),
  },
  {
    key: 'fees',
    label: 'Fees, STX',
    isNumber: true,
    value: reward => Number(reward.feeUstx) / 1e6,
    cell: reward => exactStx(reward.feeUstx).replace(' STX', ''),
  },
]

/** One block of Stacks: where it stands, what it paid, what is in it. */
export default function BlockPage() {
  const { block, mark, txs, next, after } = useLoaderData<typeof loader>()
  const isAlone = !block.isPrevHeld && block.nextHeight === null
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`Stacks block ${grouped(String(block.height))}`}
        question={
          <>
            <time dateTime={block.time}>{timeText(block.time)}</time>, on Bitcoin block{' '}
            {grouped(String(block.burnHeight))}
            {isAlone && ' · indexed without its neighbors'}
          </>
        }
        mark={mark}
      >
        {block.isPrevHeld && (
          <IconLink icon="previous" label="The block before" to={`/stacks/block/${block.height - 1}`} />
        )}
        {block.nextHeight !== null && (
          <IconLink icon="next" label="The block after" to={`/stacks/block/${block.nextHeight}`} />
        )}
        <FileLink icon="code" label="This block as JSON" href={`/api/v1/stacks/blocks/${block.height}`} />
      </HeadingBlock>

      <Card title="The block">
        <Facts
          facts={[
            { label: 'Id', value: <CopyText text={block.hash} what="the id" />, isWide: true },
            {
              label: 'Header hash',
              value: <CopyText text={block.headerHash} what="the hash" />,
              isWide: true,
            },
            {
              label: 'Transactions',
              value: `${grouped(String(block.txCount))}${told(block.failedTxCount, count => `, of them ${grouped(String(count))} failed`, '')}`,
            },
            { label: 'Fees', value: exactStx(block.feeUstx) },
            {
              label: 'Events',
              value: `${told(block.eventCount, count => grouped(String(count)))}${told(block.rolledBackEventCount, count => `, and ${grouped(String(count))} rolled back`, '')}`,
            },
            { label: 'Contracts made', value: told(block.contractCount, count => grouped(String(count))) },
            { label: 'Made on Bitcoin', value: grouped(String(block.bitcoinOpCount)) },
            ...(block.isNakamoto
              ? [
                  { label: 'Signatures of signers', value: String(block.signerSignatureCount ?? '–') },
                  {
                    label: 'Tenure',
                    value: block.tenureHeight === null ? '–' : grouped(String(block.tenureHeight)),
                  },
                ]
              : [{ label: 'From microblocks', value: grouped(String(block.microblockTxCount)) }]),
            ...(block.cycle === null
              ? []
              : [{ label: 'Fixed the reward set of cycle', value: grouped(String(block.cycle)) }]),
            ...costFacts(block.cost),
            { label: 'Bitcoin block', value: <code>{block.burnHash}</code>, isWide: true },
            { label: 'Source', value: sourceText(block), isWide: true },
            ...(block.minerTxid === null || /^0+$/.test(block.minerTxid)
              ? []
              : [
                  {
                    label: 'Commit that won, on Bitcoin',
                    value: <CopyText text={block.minerTxid} what="the txid" />,
                    isWide: true,
                  },
                ]),
          ]}
        />
      </Card>

      <Counterparts counterparts={block.counterparts} />

      {block.rewards.length > 0 && (
        <TableCard
          id="rewards"
          title="Rewards paid here"
          sub="For a tenure of 100 Bitcoin blocks before"
          rows={block.rewards}
          columns={REWARDS}
          rowKey={reward => `${reward.recipient} ${reward.coinbaseUstx} ${reward.feeUstx}`}
        />
      )}

      {block.signers !== null && <BlockSigners signers={block.signers} />}

      <TxsTable
        txs={txs}
        sub="In the order of the block"
        foot={pagingFoot({
          next,
          isLater: after !== undefined,
          param: 'after',
          words: { first: 'From the first', next: 'Next transactions' },
        })}
      />
    </div>
  )
}

export const ErrorBoundary = PageError
