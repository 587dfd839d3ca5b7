import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { exactStx, grouped } from '../../format/figure.ts'
import { coverageFacts, sentText } from '../../format/indexed.ts'
import { AddressNames } from '../../people/AddressNames.tsx'
import { OwnName } from '../../people/OwnName.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import { TransfersTable } from './EventTables.tsx'
import { Principal } from './Principal.tsx'
import { principalText } from './principal.ts'
import { RecordedMovements } from './RecordedMovements.tsx'
import styles from './Stacks.module.css'
import { TxsTable } from './TxsTable.tsx'

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const asked = params.address ?? ''
  const account = await answering(`Address ${principalText(asked)}`, () =>
    context.get(apiContext).stacks.address(asked),
  )
  return { account, mark: chainMark(account.asOf, url), publicUrl: context.get(siteContext).publicUrl }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { account, publicUrl } = loaderData
  return pageMeta({
    title: `Stacks address ${principalText(account.address)}`,
    description: `Activity of ${account.address} in the indexed blocks${account.txCount === null ? '' : `: ${account.txCount} transactions sent`}.`,
    path: `/stacks/address/${account.address}`,
    publicUrl,
  })
}

const amountText = (ustx: string | null): string => (ustx === null ? '–' : exactStx(ustx))

/** One address, as far as the blocks held tell of it. */
export default function AddressPage() {
  const { account, mark } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={
          <>
            {account.names[0]?.name ?? 'Address'} {principalText(account.address)}
          </>
        }
        question="What it sent, received and made, in the indexed blocks. A balance needs the full chain."
        mark={mark}
      >
        <FileLink
          icon="code"
          label="This address as JSON"
          href={`/api/v1/stacks/addresses/${account.address}`}
        />
      </HeadingBlock>
      <Card title="The address">
        <Facts
          facts={[
            {
              label: 'Address',
              value: (
                <>
                  <OwnName address={account.address} />
                  <CopyText text={account.address} what="the address" />
                </>
              ),
              isWide: true,
            },
            ...(account.names.length === 0
              ? [{ label: 'Names', value: <AddressNames address={account.address} />, isWide: true }]
              : [
                  {
                    label: account.names.length === 1 ? 'Name' : `Names, ${account.names.length}`,
                    value: account.names.map(({ name }) => name).join(', '),
                    isWide: true,
                  },
                ]),
            ...coverageFacts(account.indexedHours),
            {
              label: 'Transactions sent',
              value: sentText(account.txCount, account.failedTxCount),
            },
            { label: 'Fees', value: amountText(account.feeUstx) },
            { label: 'STX received', value: amountText(account.receivedUstx) },
            { label: 'STX sent', value: amountText(account.sentUstx) },
            {
              label: 'Sent in blocks',
              value:
                account.firstHeight === null || account.lastHeight === null
                  ? 'none indexed'
                  : `${grouped(String(account.firstHeight))} to ${grouped(String(account.lastHeight))}`,
            },
            {
              label: 'Stacking',
              value: <Link to={`/stacks/yield?address=${account.address}`}>What it got for stacking</Link>,
            },
            ...(account.contracts.length === 0
              ? []
              : [
                  {
                    label: 'Contracts made',
                    value: account.contracts.map(({ contract, height }) => (
                      <span key={contract}>
                        <Principal of={contract} /> in{' '}
                        <Link to={`/stacks/block/${height}`}>{grouped(String(height))}</Link>{' '}
                      </span>
                    )),
                    isWide: true,
                  },
                ]),
          ]}
        />
      </Card>
      <TxsTable txs={account.txs} sub="Latest transactions that it sent, or that pay it" />
      <TransfersTable transfers={account.transfers} withTx />
      <RecordedMovements movements={account.recorded} />
    </div>
  )
}

export const ErrorBoundary = PageError
