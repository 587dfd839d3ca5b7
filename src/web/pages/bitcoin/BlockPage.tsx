import {
  Link,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useLoaderData,
  useLocation,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { BlockDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { addressWith } from '../../blocks/view.ts'
import { counted } from '../../format/counted.ts'
import { timeText } from '../../format/day.ts'
import { exactBtc, grouped, percentText, significant } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink, IconLink } from '../../ui/Button.tsx'
import { answering, blocksOf } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from './BlockPage.module.css'
import { FeeRateBar } from './FeeRateBar.tsx'
import { Operations } from './Operations.tsx'
import { OutputTypes } from './OutputTypes.tsx'
import { TxsTable } from './TxsTable.tsx'
import { poolRuleText } from './words.ts'

const TXS = 100
const MAX_WEIGHT = 4_000_000

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const api = context.get(apiContext)
  const asked = params.block ?? ''
  const after = /^\d{1,9}$/.test(url.searchParams.get('after') ?? '')
    ? Number(url.searchParams.get('after'))
    : undefined
  const block = await answering(`Block ${asked.slice(0, 70)}`, () => api.block(asked), blocksOf('bitcoin'))
  // One block, one address: a hash leads to the height while the block is in the best chain.
  if (asked !== String(block.height)) throw redirect(`/bitcoin/block/${block.height}${url.search}`, 302)
  const txs =
    block.origin === 'rows'
      ? await answering('Its transactions', () =>
          api.blockTxs(asked, { limit: TXS, ...(after !== undefined && { after }) }),
        )
      : undefined
  return {
    block,
    mark: chainMark(block.asOf, url),
    txs: txs?.items ?? [],
    next: txs?.next ?? null,
    after,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { block, publicUrl } = loaderData
  const height = grouped(String(block.height))
  return pageMeta({
    title: `Bitcoin block ${height}`,
    description: `Block ${height} of ${timeText(block.time)}: ${counted(block.txCount, 'transaction')}${block.feeSat === null ? '' : `, ${exactBtc(block.feeSat)} in fees`}, found by ${block.pool || 'an unknown miner'}.`,
    path: `/bitcoin/block/${block.height}`,
    publicUrl,
  })
}

/** One block: what it is, what it paid, what is in it. */
export default function BlockPage() {
  const { block, mark, txs, next, after } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`Block ${grouped(String(block.height))}`}
        question={
          <>
            <time dateTime={block.time}>{timeText(block.time)}</time>, found by{' '}
            {block.pool || 'an unknown miner'}
            {block.isIsland && ' · indexed without its neighbors'}
          </>
        }
        mark={mark}
      >
        {block.prevHash && block.height > 0 && !block.isIsland && (
          <IconLink icon="previous" label="The block before" to={`/bitcoin/block/${block.height - 1}`} />
        )}
        {block.nextHash && (
          <IconLink icon="next" label="The block after" to={`/bitcoin/block/${block.height + 1}`} />
        )}
        <FileLink icon="code" label="This block as JSON" href={`/api/v1/bitcoin/blocks/${block.height}`} />
      </HeadingBlock>

      <Card
        title="The block"
        sub={
          block.origin === 'statistics' ? 'From node statistics. The block itself is not indexed' : undefined
        }
      >
        <Facts
          facts={[
            { label: 'Hash', value: <CopyText text={block.hash} what="the hash" />, isWide: true },
            { label: 'Transactions', value: grouped(String(block.txCount)) },
            {
              label: 'Weight used',
              value: block.weightWu === null ? '–' : `${percentText(block.weightWu / MAX_WEIGHT)} of 4 MWU`,
            },
            {
              label: 'Size',
              value: block.sizeBytes === null ? '–' : `${grouped(String(block.sizeBytes))} bytes`,
            },
            {
              label: 'Inputs, outputs',
              value: `${grouped(String(block.inputCount))}, ${grouped(String(block.outputCount))}`,
            },
            {
              label: 'Fees',
              value: feesText(block),
            },
            { label: 'Subsidy', value: exactBtc(block.subsidySat) },
            {
              label: 'Claimed by the miner',
              value: block.coinbaseSat === null ? '–' : exactBtc(block.coinbaseSat),
            },
            { label: 'Outputs, without the coinbase’s', value: exactBtc(block.outputSat) },
            {
              label: 'Pool',
              value: block.pool ? `${block.pool}, ${poolRuleText(block.poolRule)}` : 'no rule matched',
            },
            {
              label: 'Difficulty',
              value: block.difficulty === null ? '–' : significant(block.difficulty, 6),
            },
            {
              label: 'Median time past',
              value: block.medianTime === null ? '–' : timeText(block.medianTime),
            },
            {
              label: 'Version, bits, nonce',
              value: [block.version, block.bits, block.nonce].map(part => part ?? '–').join(', '),
            },
            ...(block.coinbaseText
              ? [{ label: 'Words in the coinbase', value: <code>{block.coinbaseText}</code>, isWide: true }]
              : []),
            ...(block.merkleRoot
              ? [{ label: 'Merkle root', value: <code>{block.merkleRoot}</code>, isWide: true }]
              : []),
          ]}
        />
      </Card>

      <div className={styles.pair}>
        {block.feerates && (
          <Card title="What was paid for space" sub="sat/vB, by share of the block’s space">
            <FeeRateBar rates={block.feerates} />
          </Card>
        )}
        {block.outputsByType.length > 0 && (
          <Card title="Outputs by type">
            <OutputTypes types={block.outputsByType} />
          </Card>
        )}
      </div>

      {block.operations.length > 0 && <Operations operations={block.operations} withTx />}

      {block.origin === 'rows' ? (
        <TxsTable
          txs={txs}
          more={next === null ? undefined : addressWith(search, { after: next })}
          isLater={after !== undefined}
        />
      ) : (
        <Card title="Transactions">
          <p className={styles.absent}>
            The transactions of this block are not indexed, only {block.source.name}. Load it with{' '}
            <code>assay ingest FILE</code> or from a node, and each transaction opens here. Meanwhile{' '}
            <Link to="/bitcoin?tab=blocks">other blocks</Link> are decoded.
          </p>
        </Card>
      )}
    </div>
  )
}

/** Where an input’s value is missing the coinbase still tells the least: nobody may claim more than subsidy and fees. */
function feesText({ feeSat, coinbaseSat, subsidySat }: BlockDetail): string {
  if (feeSat !== null) return exactBtc(feeSat)
  const least = BigInt(coinbaseSat ?? '0') - BigInt(subsidySat)
  return least > 0n
    ? `at least ${exactBtc(String(least))}, which the coinbase claims; an input’s value is missing`
    : 'unknown: an input value is missing'
}

export const ErrorBoundary = PageError
