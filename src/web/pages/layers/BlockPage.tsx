import { type LoaderFunctionArgs, type MetaArgs, redirect, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { LayerBlockAnswer, LayerHeaderView, LayerTxSummary } from '#http/contract.ts'
import type { AsOfMarkProps } from '../../blocks/AsOfMark.tsx'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { type Fact, Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { timeText } from '../../format/day.ts'
import { grouped } from '../../format/figure.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink, IconLink } from '../../ui/Button.tsx'
import { answering, blocksOf } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import { pagingFoot } from '../stacks/Paging.tsx'
import styles from '../stacks/Stacks.module.css'
import { MinedFor } from './BlocksTable.tsx'
import { layerOf } from './layerOf.server.ts'
import { Party } from './Party.tsx'
import { TxsTable } from './TxsTable.tsx'
import { coinText, feeText } from './words.ts'

const TXS = 100

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const layer = layerOf(url, context)
  const { name } = layer
  const api = context.get(apiContext).layer(layer.id)
  const asked = params.block ?? ''
  const text = url.searchParams.get('after') ?? ''
  const after = /^\d{1,9}$/.test(text) ? Number(text) : undefined
  const answer = await answering(
    `${name} block ${asked.slice(0, 70)}`,
    () => api.block(asked),
    blocksOf(layer.id),
  )
  const { height } = answer.block ?? answer.header!
  // One block, one address: a hash leads to the height while the block is of the best chain.
  if (asked !== String(height)) throw redirect(`/${layer.id}/block/${height}${url.search}`, 302)
  const txs =
    answer.block === null
      ? undefined
      : await answering('Its transactions', () =>
          api.blockTxs(asked, { limit: TXS, ...(after !== undefined && { after }) }),
        )
  return {
    layer,
    answer,
    mark: chainMark(asOfAnswer(answer), url),
    txs: txs?.items ?? [],
    next: txs?.next ?? null,
    after,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

/** Where no whole block of the layer is indexed, the answer is as old as the header. */
const asOfAnswer = ({ asOf, header }: LayerBlockAnswer): LayerBlockAnswer['asOf'] =>
  asOf.height === null && header !== null ? { ...asOf, time: header.time, height: header.height } : asOf

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { layer, answer, publicUrl } = loaderData
  const { name } = layer
  const { height, time } = answer.block ?? answer.header!
  const title = `${name} block ${grouped(String(height))}`
  return pageMeta({
    title,
    description:
      answer.block === null
        ? `The header of ${title}, of ${timeText(time)}, verified here. Its transactions are not indexed.`
        : `${title} of ${timeText(time)}: ${grouped(String(answer.block.txCount))} transactions${answer.block.feeWei === null ? '' : `, ${coinText(layer, answer.block.feeWei)} in fees`}.`,
    path: `/${layer.id}/block/${height}`,
    publicUrl,
  })
}

type Block = NonNullable<LayerBlockAnswer['block']>

/** One block of an EVM layer, or its header where that alone was recorded. */
export default function BlockPage() {
  const { layer, answer, mark, txs, next, after } = useLoaderData<typeof loader>()
  const { block, header } = answer
  if (block === null) return <HeaderPage layer={layer} header={header!} mark={mark} />
  return <WholeBlock layer={layer} block={block} mark={mark} txs={txs} next={next} after={after} />
}

type WholeProps = {
  layer: SiteLayer
  block: Block
  mark: AsOfMarkProps
  txs: readonly LayerTxSummary[]
  next: string | null
  after: number | undefined
}

function WholeBlock({ layer, block, mark, txs, next, after }: WholeProps) {
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`${layer.name} block ${grouped(String(block.height))}`}
        question={
          <>
            <time dateTime={block.time}>{timeText(block.time)}</time>
            {!block.isPrevHeld && block.nextHeight === null && ' · indexed without its neighbors'}
          </>
        }
        mark={mark}
      >
        {block.isPrevHeld && (
          <IconLink icon="previous" label="The block before" to={`/${layer.id}/block/${block.height - 1}`} />
        )}
        {block.nextHeight !== null && (
          <IconLink icon="next" label="The block after" to={`/${layer.id}/block/${block.nextHeight}`} />
        )}
        <FileLink
          icon="code"
          label="This block as JSON"
          href={`/api/v1/${layer.id}/blocks/${block.height}`}
        />
      </HeadingBlock>
      <Card title="The block">
        <Facts facts={blockFacts(layer, block)} />
      </Card>
      <TxsTable
        layer={layer}
        txs={txs}
        sub="In their order; a fee has every digit in its hover"
        foot={pagingFoot({
          next,
          isLater: after !== undefined,
          param: 'after',
          words: { first: 'First transactions', next: 'Next transactions' },
        })}
      />
    </div>
  )
}

function blockFacts(layer: SiteLayer, block: Block): Fact[] {
  const facts: (Fact | undefined)[] = [
    { label: 'Hash', value: <CopyText text={block.hash} what="the hash" />, isWide: true },
    { label: 'Made by', value: <Party layer={layer} of={{ address: block.miner, name: null }} /> },
    {
      label: 'Transactions',
      value: `${grouped(String(block.txCount))}, of them ${grouped(String(block.systemTxCount))} of the system${block.failedTxCount === null ? '' : `, ${grouped(String(block.failedTxCount))} failed`}`,
    },
    { label: 'Fees', value: block.feeWei === null ? 'not known' : coinText(layer, block.feeWei) },
    block.l1FeeWei === '0'
      ? undefined
      : { label: 'Of them for L1 data', value: coinText(layer, block.l1FeeWei) },
    { label: 'Gas used', value: `${grouped(block.gasUsed)} of ${grouped(block.gasLimit)}` },
    { label: 'Logs', value: grouped(String(block.logCount)) },
    block.baseFeeWei === null
      ? undefined
      : { label: 'Base fee per gas', value: feeText(layer, block.baseFeeWei).text },
    block.minimumGasPriceWei === null
      ? undefined
      : { label: 'Lowest gas price taken', value: feeText(layer, block.minimumGasPriceWei).text },
    block.difficulty === '0' ? undefined : { label: 'Difficulty', value: grouped(block.difficulty) },
    block.uncleCount === 0 ? undefined : { label: 'Uncles', value: String(block.uncleCount) },
    block.sizeBytes === null
      ? undefined
      : { label: 'Size', value: `${grouped(String(block.sizeBytes))} bytes` },
    block.l1Height === null ? undefined : { label: 'Parent chain’s block', value: grouped(block.l1Height) },
    ...minedFacts(block.minedFor),
    {
      label: 'Proved here',
      value: proofsText(block),
      isWide: true,
    },
    { label: 'Block before', value: <code className={styles.code}>{block.prevHash}</code>, isWide: true },
  ]
  return facts.filter(fact => fact !== undefined)
}

function proofsText(block: Block): string {
  const proved = [
    block.isHashProved && 'its hash',
    block.isTxsProved && 'its transactions',
    block.isReceiptsProved && 'their receipts and logs',
  ].filter(part => part !== false)
  const traced = block.isTraced
    ? 'Contracts created inside transactions are included.'
    : 'Contracts created inside transactions are not included because the node offers no traces.'
  return `${proved.length === 0 ? 'Nothing, the node is trusted' : proved.join(', ')}. ${traced}`
}

const minedFacts = (minedFor: LayerHeaderView['minedFor']): Fact[] =>
  minedFor === null
    ? []
    : [
        {
          label: 'Bitcoin header mined for it',
          value:
            minedFor.bitcoinHeight === null ? (
              <>
                <code className={styles.code}>{minedFor.bitcoinHash}</code>
                <span className={styles.quiet}>
                  {' '}
                  No indexed Bitcoin block has this hash. Most such headers never become a block.
                </span>
              </>
            ) : (
              <MinedFor of={minedFor} />
            ),
          isWide: true,
        },
        {
          label: 'Its coinbase',
          value: minedFor.isTagged ? 'commits to this block' : 'does not commit to this block',
        },
      ]

function HeaderPage({
  layer,
  header,
  mark,
}: {
  layer: SiteLayer
  header: LayerHeaderView
  mark: AsOfMarkProps
}) {
  const { name } = layer
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`${name} block ${grouped(String(header.height))}, its header`}
        question={
          <>
            <time dateTime={header.time}>{timeText(header.time)}</time> · the header alone was recorded
          </>
        }
        mark={mark}
      >
        <FileLink
          icon="code"
          label="This header as JSON"
          href={`/api/v1/${layer.id}/blocks/${header.height}`}
        />
      </HeadingBlock>
      <Card
        title="The header"
        sub={`The block’s content is not indexed. Load it with assay backfill --chain ${layer.id} --from ${header.height} --to ${header.height}`}
      >
        <Facts
          facts={[
            { label: 'Hash', value: <CopyText text={header.hash} what="the hash" />, isWide: true },
            { label: 'Made by', value: <Party layer={layer} of={{ address: header.miner, name: null }} /> },
            { label: 'Difficulty', value: grouped(header.difficulty) },
            { label: 'Gas used', value: `${grouped(header.gasUsed)} of ${grouped(header.gasLimit)}` },
            ...(header.paidFeeWei === null
              ? []
              : [{ label: 'Fees, from the header', value: coinText(layer, header.paidFeeWei) }]),
            ...(header.uncleCount === null ? [] : [{ label: 'Uncles', value: String(header.uncleCount) }]),
            ...minedFacts(header.minedFor),
            {
              label: 'Block before',
              value: <code className={styles.code}>{header.prevHash}</code>,
              isWide: true,
            },
          ]}
        />
      </Card>
    </div>
  )
}

export const ErrorBoundary = PageError
