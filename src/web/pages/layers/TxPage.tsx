import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { LayerTxDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { type Fact, Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { timeText } from '../../format/day.ts'
import { grouped } from '../../format/figure.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from '../stacks/Stacks.module.css'
import { EventsTable, TransfersTable } from './EventTables.tsx'
import { layerOf } from './layerOf.server.ts'
import { Party } from './Party.tsx'
import { coinText, feeText, kindText, outcomeText, shortHash, txText } from './words.ts'

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const layer = layerOf(url, context)
  const hash = params.hash ?? ''
  const tx = await answering(`${layer.name} transaction ${shortHash(hash)}`, () =>
    context.get(apiContext).layer(layer.id).tx(hash),
  )
  return { layer, tx, mark: chainMark(tx.asOf, url), publicUrl: context.get(siteContext).publicUrl }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { layer, tx, publicUrl } = loaderData
  const { name } = layer
  return pageMeta({
    title: `${name} transaction ${shortHash(tx.hash)}`,
    description: `${txText(layer, tx)}: ${outcomeText(tx.isSuccess)}, in ${name} block ${grouped(String(tx.height))}.`,
    path: `/${layer.id}/tx/${tx.hash}`,
    publicUrl,
  })
}

type Arg = NonNullable<LayerTxDetail['args']>[number]
const ARGS: readonly TableColumn<Arg>[] = [
  { key: 'name', label: 'Argument', value: arg => arg.name || 'no name' },
  { key: 'type', label: 'Type', value: arg => arg.type, cell: arg => <code>{arg.type}</code> },
  {
    key: 'value',
    label: 'Value',
    value: arg => arg.value,
    cell: arg => <code className={styles.code}>{arg.value}</code>,
  },
]

type Created = LayerTxDetail['created'][number]

/** One transaction of an EVM layer: what it does in words, with what it called, moved, said and made. */
export default function TxPage() {
  const { layer, tx, mark } = useLoaderData<typeof loader>()
  const made: readonly TableColumn<Created>[] = [
    {
      key: 'contract',
      label: 'Contract',
      value: row => row.contract.address,
      cell: row => <Party layer={layer} of={row.contract} />,
    },
    {
      key: 'kind',
      label: 'Made by',
      value: row => (row.kind === 'transaction' ? 'the transaction' : row.kind),
    },
    {
      key: 'creator',
      label: 'Creator',
      value: row => row.creator.address,
      cell: row => <Party layer={layer} of={row.creator} />,
    },
  ]
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`${layer.name} transaction`}
        question={
          <>
            {txText(layer, tx)}: {outcomeText(tx.isSuccess)}.
          </>
        }
        mark={mark}
      >
        <FileLink icon="code" label="This transaction as JSON" href={`/api/v1/${layer.id}/txs/${tx.hash}`} />
      </HeadingBlock>
      <Card title="The transaction">
        <Facts facts={factsOf(layer, tx)} />
      </Card>
      {tx.args !== null && tx.args.length > 0 && (
        <TableCard
          id="args"
          title="Arguments"
          sub="From the catalog’s signature for the selector. Another function may share it"
          rows={tx.args}
          columns={ARGS}
          rowKey={arg => `${tx.args?.indexOf(arg)}`}
        />
      )}
      <TransfersTable layer={layer} transfers={tx.transfers} />
      {tx.created.length > 0 && (
        <TableCard
          id="created"
          title="Contracts made"
          rows={tx.created}
          columns={made}
          rowKey={row => row.contract.address}
        />
      )}
      <EventsTable layer={layer} events={tx.events} />
      {tx.input !== '0x' && (
        <Card
          title="Input"
          sub={tx.selector === null && tx.recipient === null ? 'Code that makes a contract' : undefined}
        >
          <ScrollRegion label="Input of the transaction" className={styles.source}>
            <code className={styles.code}>{tx.input}</code>
          </ScrollRegion>
        </Card>
      )}
      {tx.raw !== '' && (
        <Card title="As the node gave it" sub="Unknown type">
          <p className={styles.note}>
            <code className={styles.code}>{tx.raw}</code>
          </p>
        </Card>
      )}
    </div>
  )
}

function factsOf(layer: SiteLayer, tx: LayerTxDetail): Fact[] {
  const wei = (label: string, value: string | null): Fact | undefined =>
    value === null || value === '0' ? undefined : { label, value: coinText(layer, value) }
  const price = (label: string, value: string | null): Fact | undefined =>
    value === null ? undefined : { label, value: feeText(layer, value).text }
  const facts: (Fact | undefined)[] = [
    { label: 'Hash', value: <CopyText text={tx.hash} what="the hash" />, isWide: true },
    {
      label: 'Block',
      value: (
        <>
          <Link to={`/${layer.id}/block/${tx.height}`}>{grouped(String(tx.height))}</Link>, place{' '}
          {grouped(String(tx.txIndex))}
        </>
      ),
    },
    { label: 'Time', value: <time dateTime={tx.time}>{timeText(tx.time)}</time> },
    { label: 'Outcome', value: outcomeText(tx.isSuccess) },
    { label: 'Sender', value: <Party layer={layer} of={tx.sender} /> },
    tx.recipient === null
      ? undefined
      : { label: 'Recipient', value: <Party layer={layer} of={tx.recipient} /> },
    tx.contract === null
      ? undefined
      : { label: 'Made the contract', value: <Party layer={layer} of={tx.contract} /> },
    tx.selector === null
      ? undefined
      : {
          label: 'Function',
          value: (
            <>
              {tx.functionName !== '' && `${tx.functionName} `}
              <code>{tx.selector}</code>
              {tx.functionName === '' && ', not in the catalog'}
            </>
          ),
        },
    wei('Sends', tx.valueWei),
    wei('Minted for it', tx.mintWei),
    { label: 'Fee', value: tx.feeWei === null ? 'not known' : coinText(layer, tx.feeWei) },
    wei('L1 data fee', tx.l1FeeWei),
    wei('Operator fee', tx.operatorFeeWei),
    price('Price per gas', tx.gasPriceWei),
    price('Highest price signed', tx.maxFeeWei),
    price('Highest tip signed', tx.priorityFeeWei),
    {
      label: 'Gas used',
      value: `${tx.gasUsed === null ? 'not known' : grouped(tx.gasUsed)} of ${grouped(tx.gasLimit)}`,
    },
    { label: 'Kind', value: kindText(tx.kind) },
    { label: 'Nonce', value: grouped(tx.nonce) },
    tx.authorizationCount === 0
      ? undefined
      : { label: 'Accounts that let code act', value: String(tx.authorizationCount) },
    { label: 'Block hash', value: <code className={styles.code}>{tx.blockHash}</code>, isWide: true },
  ]
  return facts.filter(fact => fact !== undefined)
}

export const ErrorBoundary = PageError
