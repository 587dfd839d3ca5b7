import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { StacksContractDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
import { Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { grouped } from '../../format/figure.ts'
import { partialHistoryText } from '../../format/indexed.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import { CallCard } from './CallCard.tsx'
import { PrintsTable, TransfersTable } from './EventTables.tsx'
import { Principal } from './Principal.tsx'
import { principalText } from './principal.ts'
import { RecordedMovements } from './RecordedMovements.tsx'
import styles from './Stacks.module.css'
import { TxsTable } from './TxsTable.tsx'

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const asked = params.contract ?? ''
  const contract = await answering(`Contract ${principalText(asked)}`, () =>
    context.get(apiContext).stacks.contract(asked),
  )
  return { contract, mark: chainMark(contract.asOf, url), publicUrl: context.get(siteContext).publicUrl }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { contract, publicUrl } = loaderData
  return pageMeta({
    title: `Stacks contract ${principalText(contract.contract)}`,
    description: `Contract ${contract.contract}: ${contract.functions.length} functions, its source, latest calls and events.`,
    path: `/stacks/contract/${contract.contract}`,
    publicUrl,
  })
}

type Row = StacksContractDetail['functions'][number]
const FUNCTIONS: readonly TableColumn<Row>[] = [
  { key: 'name', label: 'Function', value: row => row.name, cell: row => <code>{row.name}</code> },
  {
    key: 'kind',
    label: 'Kind',
    value: row => (row.isReadOnly ? 'reads' : 'public'),
  },
  {
    key: 'args',
    label: 'Arguments',
    value: row => row.args.map(arg => `${arg.name}: ${arg.type}`).join(', '),
    cell: row => (
      <code className={styles.code}>{row.args.map(arg => `${arg.name}: ${arg.type}`).join(', ') || '–'}</code>
    ),
  },
  countColumn('calls', 'Indexed calls', row => row.callCount),
  countColumn('failed', 'Failed', row => row.failedCallCount),
]

/** Not where it is known that all of its functions only read. */
const isCallable = ({ isInterfaceHeld, functions }: StacksContractDetail): boolean =>
  !isInterfaceHeld || functions.some(({ isReadOnly }) => !isReadOnly)

/** One contract, as far as the blocks held tell of it. */
export default function ContractPage() {
  const { contract, mark } = useLoaderData<typeof loader>()
  const name = contract.contract.slice(contract.contract.indexOf('.') + 1)
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={name}
        question="What this contract offers, who calls it and what it prints, in the indexed blocks."
        mark={mark}
      >
        <FileLink
          icon="code"
          label="This contract as JSON"
          href={`/api/v1/stacks/contracts/${contract.contract}`}
        />
      </HeadingBlock>
      <Card title="The contract">
        <Facts
          facts={[
            {
              label: 'Contract',
              value: <CopyText text={contract.contract} what="the contract" />,
              isWide: true,
            },
            { label: 'Deployer', value: <Principal of={contract.deployer} /> },
            {
              label: 'Made in block',
              value: contract.made ? (
                <>
                  <Link to={`/stacks/block/${contract.made.height}`}>
                    {grouped(String(contract.made.height))}
                  </Link>
                  , by <Link to={`/stacks/tx/${contract.made.txid}`}>its transaction</Link>
                </>
              ) : (
                'a block that is not indexed'
              ),
            },
            {
              label: 'Clarity version',
              value: contract.made?.clarityVersion == null ? '–' : String(contract.made.clarityVersion),
            },
          ]}
        />
      </Card>
      <TableCard
        id="functions"
        title="Functions"
        sub={`Calls by transactions in the indexed blocks${partialHistoryText(contract.indexedHours)}`}
        rows={contract.functions}
        columns={FUNCTIONS}
        rowKey={row => row.name}
        words={row => row.name}
        empty="Its interface is not indexed, and no indexed transaction calls it."
      />
      {isCallable(contract) && <CallCard contracts={[contract.contract]} />}
      <TxsTable txs={contract.txs} sub="Latest transactions that call it, and the one that deployed it" />
      <TransfersTable transfers={contract.transfers} withTx />
      <RecordedMovements movements={contract.recorded} />
      <PrintsTable prints={contract.prints} withTx />
      {contract.sourceCode !== null && contract.sourceCode !== '' && (
        <Card title="Source">
          <ScrollRegion label="Source of the contract" className={styles.source}>
            {contract.sourceCode}
          </ScrollRegion>
        </Card>
      )}
    </div>
  )
}

export const ErrorBoundary = PageError
