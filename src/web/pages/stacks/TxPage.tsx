import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { StacksTxDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText, shortened } from '../../blocks/CopyText.tsx'
import { type Fact, Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { timeText } from '../../format/day.ts'
import { exactStx, grouped } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { answering } from '../answering.server.ts'
import { Counterparts } from '../chain/Counterparts.tsx'
import { pageMeta } from '../pageMeta.ts'
import { costFacts } from './costFacts.ts'
import { PrintsTable, TransfersTable } from './EventTables.tsx'
import { Principal } from './Principal.tsx'
import { SentenceText } from './SentenceText.tsx'
import styles from './Stacks.module.css'
import { statusText } from './told.ts'
import { conditionText, kindText } from './words.ts'

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const txid = (params.txid ?? '').replace(/^0x/i, '')
  const tx = await answering(`Stacks transaction ${shortened(txid)}`, () =>
    context.get(apiContext).stacks.tx(txid),
  )
  return { tx, mark: chainMark(tx.asOf, url), publicUrl: context.get(siteContext).publicUrl }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { tx, publicUrl } = loaderData
  return pageMeta({
    title: `Stacks transaction ${shortened(tx.txid)}`,
    description: `${tx.sentence.text}, in Stacks block ${grouped(String(tx.height))}, fee ${exactStx(tx.feeUstx)}.`,
    path: `/stacks/tx/${tx.txid}`,
    publicUrl,
  })
}

type Arg = StacksTxDetail['args'][number]
const ARGS: readonly TableColumn<Arg>[] = [
  {
    key: 'name',
    label: 'Argument',
    value: arg => `${arg.name || `argument ${arg.index + 1}`}${arg.path === '' ? '' : ` · ${arg.path}`}`,
  },
  { key: 'type', label: 'Type', value: arg => arg.type, cell: arg => <code>{arg.type}</code> },
  {
    key: 'value',
    label: 'Value',
    value: arg => arg.repr,
    cell: arg => <code className={styles.code}>{arg.repr}</code>,
  },
]

/** One transaction of Stacks: what it does in words, with its arguments, events and post-conditions. */
export default function TxPage() {
  const { tx, mark } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`Stacks ${kindText(tx.kind)}`}
        question={
          <>
            <SentenceText of={tx.sentence} />.
          </>
        }
        mark={mark}
      >
        <FileLink icon="code" label="This transaction as JSON" href={`/api/v1/stacks/txs/${tx.txid}`} />
      </HeadingBlock>

      <Card title="The transaction">
        <Facts facts={factsOf(tx)} />
      </Card>

      <Counterparts counterparts={tx.counterparts} />

      {tx.args.length > 0 && (
        <TableCard
          id="args"
          title="Arguments"
          sub={
            tx.args.some(({ name }) => name !== '')
              ? 'Named by the interface of the contract; tuples are taken apart'
              : 'The contract interface is not indexed, so arguments have no names'
          }
          rows={tx.args}
          columns={ARGS}
          rowKey={arg => `${arg.index}.${arg.path}.${tx.args.indexOf(arg)}`}
        />
      )}

      {tx.authType !== '' && <PostConditions tx={tx} />}
      <TransfersTable transfers={tx.transfers} />
      <PrintsTable prints={tx.prints} />
      {tx.bitcoinOp !== '' && (
        <Card title="As it was made on Bitcoin" sub="The node’s own words">
          <p className={styles.note}>
            <code className={styles.code}>{tx.bitcoinOp}</code>
          </p>
        </Card>
      )}
    </div>
  )
}

function factsOf(tx: StacksTxDetail): Fact[] {
  const facts: (Fact | undefined)[] = [
    { label: 'Txid', value: <CopyText text={tx.txid} what="the txid" />, isWide: true },
    {
      label: 'Block',
      value: (
        <>
          <Link to={`/stacks/block/${tx.height}`}>{grouped(String(tx.height))}</Link>, place{' '}
          {grouped(String(tx.txIndex))}
        </>
      ),
    },
    { label: 'Time', value: <time dateTime={tx.time}>{timeText(tx.time)}</time> },
    { label: 'Outcome', value: statusText(tx.status) },
    { label: 'Sender', value: <Principal of={tx.sender} name={tx.senderName} /> },
    tx.sponsor === null
      ? { label: 'Fee', value: exactStx(tx.feeUstx) }
      : { label: 'Fee', value: `${exactStx(tx.feeUstx)}, paid by a sponsor` },
    tx.sponsor === null ? undefined : { label: 'Sponsor', value: <Principal of={tx.sponsor} /> },
    tx.contract === null ? undefined : { label: 'Contract', value: <Principal of={tx.contract} /> },
    tx.functionName === '' ? undefined : { label: 'Function', value: <code>{tx.functionName}</code> },
    tx.recipient === null ? undefined : { label: 'Recipient', value: <Principal of={tx.recipient} /> },
    tx.amountUstx === null ? undefined : { label: 'Amount', value: exactStx(tx.amountUstx) },
    tx.memo === '' ? undefined : { label: 'Memo', value: tx.memo },
    tx.clarityVersion === null ? undefined : { label: 'Clarity version', value: String(tx.clarityVersion) },
    tx.authType === '' ? undefined : { label: 'Signed', value: `${tx.authType}, ${tx.hashMode}` },
    tx.prints.some(({ contract }) => contract.endsWith('.sbtc-registry'))
      ? { label: 'sBTC', value: <Link to={`/stacks/sbtc?of=${tx.txid}`}>Follow it through sBTC</Link> }
      : undefined,
    { label: 'Nonce', value: grouped(tx.nonce) },
    { label: 'Size', value: tx.sizeBytes === 0 ? '–' : `${grouped(String(tx.sizeBytes))} bytes` },
    ...costFacts(tx.cost),
    ...tx.locks.map(lock => ({
      label: 'Locks',
      value: `${exactStx(lock.amountUstx)} until Bitcoin block ${grouped(String(lock.unlockHeight))}`,
    })),
    tx.resultRepr === ''
      ? undefined
      : { label: 'Result', value: <code className={styles.code}>{tx.resultRepr}</code>, isWide: true },
    tx.vmError === '' ? undefined : { label: 'Error', value: tx.vmError, isWide: true },
  ]
  return facts.filter(fact => fact !== undefined)
}

const MODE: Record<string, string> = {
  Allow: 'Anything else may move too',
  Deny: 'Nothing else may move',
  Originator: 'Nothing else of the sender may move',
}

function PostConditions({ tx }: { tx: StacksTxDetail }) {
  return (
    <TableCard
      id="conditions"
      title="Post-conditions"
      sub={`${MODE[tx.postConditionMode] ?? tx.postConditionMode}: else the transaction is rolled back`}
      rows={tx.postConditions}
      columns={[
        { key: 'what', label: 'It holds that', value: conditionText },
        {
          key: 'who',
          label: 'Of',
          value: condition => condition.principal,
          cell: condition =>
            condition.principal === 'origin' ? 'the sender' : <Principal of={condition.principal} />,
        },
      ]}
      rowKey={condition => `${tx.postConditions.indexOf(condition)}`}
      empty="None: only the mode above holds."
    />
  )
}

export const ErrorBoundary = PageError
