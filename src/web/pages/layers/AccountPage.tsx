import { Link, type LoaderFunctionArgs, type MetaArgs, redirect, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { LayerAccountDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
import { type Fact, Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { counted } from '../../format/counted.ts'
import { grouped } from '../../format/figure.ts'
import { coverageFacts, partialHistoryText, sentText } from '../../format/indexed.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from '../stacks/Stacks.module.css'
import { EventsTable, TransfersTable } from './EventTables.tsx'
import { layerOf } from './layerOf.server.ts'
import { Party } from './Party.tsx'
import { TxsTable } from './TxsTable.tsx'
import { amountText, coinText, shortAddress } from './words.ts'

/** An account and a contract have one form of address: what is code has `/contract/`, all else `/address/`. */
export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const layer = layerOf(url, context)
  const asked = params.address ?? ''
  const account = await answering(`${layer.name} address ${shortAddress(asked)}`, () =>
    context.get(apiContext).layer(layer.id).account(asked),
  )
  const path = `/${layer.id}/${account.isContract ? 'contract' : 'address'}/${account.address}`
  if (url.pathname !== path) throw redirect(`${path}${url.search}`, 302)
  return {
    layer,
    account,
    mark: chainMark(account.asOf, url),
    path,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { layer, account, path, publicUrl } = loaderData
  const { name } = layer
  return pageMeta({
    title: `${name} ${account.isContract ? 'contract' : 'address'} ${account.known?.name ?? shortAddress(account.address)}`,
    description: `Activity of ${account.address} on ${name} in the indexed blocks${account.txCount === null ? '' : `: ${counted(account.txCount, 'transaction')} sent`}${account.logCount === null ? '' : `, ${counted(account.logCount, 'log')}`}.`,
    path,
    publicUrl,
  })
}

type Called = LayerAccountDetail['functions'][number]
const FUNCTIONS: readonly TableColumn<Called>[] = [
  {
    key: 'name',
    label: 'Function',
    value: row => row.name || row.selector,
    cell: row => (row.name === '' ? <code>{row.selector}</code> : row.name),
  },
  {
    key: 'signature',
    label: 'Signature',
    value: row => row.signature || null,
    cell: row =>
      row.signature === '' ? (
        <span className={styles.quiet}>not in the catalog</span>
      ) : (
        <code className={styles.code}>{row.signature}</code>
      ),
  },
  countColumn('calls', 'Indexed calls', row => row.callCount),
  countColumn('failed', 'Failed', row => row.failedCallCount),
  countColumn('callers', 'Callers', row => row.callerCount),
]

type Balance = LayerAccountDetail['balances'][number]
const balanceColumns = (layer: SiteLayer): readonly TableColumn<Balance>[] => [
  {
    key: 'token',
    label: 'Token',
    value: row => row.token.symbol ?? row.token.address,
    cell: row => <Party layer={layer} of={{ address: row.token.address, name: row.token.symbol }} />,
  },
  {
    key: 'balance',
    label: 'Indexed total',
    isNumber: true,
    value: row => Number(row.balance),
    cell: row =>
      amountText({
        token: row.token,
        amount: row.balance,
        tokenId: row.tokenId,
        standard: row.tokenId === null ? 'erc20' : 'erc1155',
      }),
  },
  {
    key: 'changed',
    label: 'Changed in block',
    isNumber: true,
    value: row => row.changedHeight,
    cell: row => (
      <Link to={`/${layer.id}/block/${row.changedHeight}`}>{grouped(String(row.changedHeight))}</Link>
    ),
  },
]

/** One account or contract of an EVM layer, as far as the blocks held tell of it. */
export default function AccountPage() {
  const { layer, account, mark } = useLoaderData<typeof loader>()
  const { name } = layer
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={
          account.known?.name ??
          account.token?.symbol ??
          `${account.isContract ? 'Contract' : 'Address'} ${shortAddress(account.address)}`
        }
        question={
          account.isContract
            ? `A contract on ${name}: callers, transfers and events in the indexed blocks.`
            : `An account on ${name}: what it sent, received and made, in the indexed blocks.`
        }
        mark={mark}
      >
        <FileLink
          icon="code"
          label="This address as JSON"
          href={`/api/v1/${layer.id}/addresses/${account.address}`}
        />
      </HeadingBlock>
      <Card title={account.isContract ? 'The contract' : 'The account'}>
        <Facts facts={factsOf(layer, account)} />
      </Card>
      {account.isContract && (
        <TableCard
          id="functions"
          title="Functions called"
          sub={`By transactions in the indexed blocks. Function names are from the catalog, by selector${partialHistoryText(account.indexedHours)}`}
          rows={account.functions}
          columns={FUNCTIONS}
          rowKey={row => row.selector}
          words={row => `${row.name} ${row.selector}`}
          empty="No indexed transaction calls it."
        />
      )}
      {account.balances.length > 0 && (
        <TableCard
          id="balances"
          title="Tokens"
          sub="Sums of indexed transfers. They equal balances only if all data since the token’s deployment is indexed. Negative sums come from earlier transfers"
          rows={account.balances}
          columns={balanceColumns(layer)}
          rowKey={row => `${row.token.address}.${row.tokenId ?? ''}`}
        />
      )}
      <TxsTable
        layer={layer}
        txs={account.txs}
        sub="Latest transactions that it sent, that call or pay it, or that created it"
      />
      <TransfersTable layer={layer} transfers={account.transfers} withTx />
      <EventsTable layer={layer} events={account.events} withTx />
    </div>
  )
}

function factsOf(layer: SiteLayer, account: LayerAccountDetail): Fact[] {
  const { made, token } = account
  const facts: (Fact | undefined)[] = [
    { label: 'Address', value: <CopyText text={account.address} what="the address" />, isWide: true },
    account.known === null
      ? undefined
      : { label: 'Known as', value: `${account.known.name}: ${account.known.role}`, isWide: true },
    token === null
      ? undefined
      : {
          label: 'Token',
          value: `${token.name ?? 'no name'} (${token.symbol ?? 'no symbol'}), ${token.decimals === null ? 'decimals unknown' : `${token.decimals} decimals`}${token.isListed ? '' : '; not in the catalog'}`,
          isWide: true,
        },
    account.isContract
      ? {
          label: 'Made',
          value:
            made === null ? (
              'in a block that is not indexed, or inside a transaction without traces'
            ) : (
              <>
                in block <Link to={`/${layer.id}/block/${made.height}`}>{grouped(String(made.height))}</Link>,
                by <Party layer={layer} of={made.creator} />,{' '}
                <Link to={`/${layer.id}/tx/${made.txHash}`}>its transaction</Link>
              </>
            ),
          isWide: true,
        }
      : undefined,
    made?.codeHash
      ? {
          label: 'Hash of its code',
          value: <code className={styles.code}>{made.codeHash}</code>,
          isWide: true,
        }
      : undefined,
    ...coverageFacts(account.indexedHours),
    {
      label: 'Transactions sent',
      value: sentText(account.txCount, account.failedTxCount),
    },
    { label: 'Fees of these', value: account.feeWei === null ? '–' : coinText(layer, account.feeWei) },
    {
      label: 'Sent in blocks',
      value:
        account.firstHeight === null || account.lastHeight === null
          ? 'none indexed'
          : `${grouped(String(account.firstHeight))} to ${grouped(String(account.lastHeight))}`,
    },
    account.isContract
      ? { label: 'Logs written', value: account.logCount === null ? '–' : grouped(String(account.logCount)) }
      : undefined,
    account.contracts.length === 0
      ? undefined
      : {
          label: 'Contracts deployed, newest',
          value: account.contracts.slice(0, 10).map(({ contract, height }) => (
            <span key={`${height}.${contract.address}`}>
              <Party layer={layer} of={contract} /> in{' '}
              <Link to={`/${layer.id}/block/${height}`}>{grouped(String(height))}</Link>{' '}
            </span>
          )),
          isWide: true,
        },
  ]
  return facts.filter(fact => fact !== undefined)
}

export const ErrorBoundary = PageError
