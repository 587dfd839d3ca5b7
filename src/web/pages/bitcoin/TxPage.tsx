import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText, shortened } from '../../blocks/CopyText.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { counted } from '../../format/counted.ts'
import { timeText } from '../../format/day.ts'
import { exactBtc, grouped, significant } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { answering } from '../answering.server.ts'
import { Counterparts } from '../chain/Counterparts.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './BlockPage.module.css'
import { Inscriptions } from './Inscriptions.tsx'
import { Operations } from './Operations.tsx'
import { TxFlow } from './TxFlow.tsx'
import { Protocols } from './TxsTable.tsx'

export async function loader({ params, url, context }: LoaderFunctionArgs) {
  const txid = params.txid ?? ''
  const tx = await answering(`Transaction ${shortened(txid)}`, () => context.get(apiContext).tx(txid))
  return { tx, mark: chainMark(tx.asOf, url), publicUrl: context.get(siteContext).publicUrl }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { tx, publicUrl } = loaderData
  return pageMeta({
    title: `Bitcoin transaction ${shortened(tx.txid)}`,
    description: `Transaction ${tx.txid} in block ${grouped(String(tx.height))}: ${counted(tx.inputCount, 'input')}, ${counted(tx.outputCount, 'output')}, ${exactBtc(tx.outputSat)}.`,
    path: `/bitcoin/tx/${tx.txid}`,
    publicUrl,
  })
}

/** One transaction, taken apart. */
export default function TxPage() {
  const { tx, mark } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <HeadingBlock
        title={`Transaction ${shortened(tx.txid)}`}
        question={
          <>
            {tx.isCoinbase ? 'The coinbase' : `Number ${grouped(String(tx.txIndex))}`} of{' '}
            <Link to={`/bitcoin/block/${tx.height}`}>block {grouped(String(tx.height))}</Link>,{' '}
            <time dateTime={tx.time}>{timeText(tx.time)}</time>
          </>
        }
        mark={mark}
      >
        <FileLink icon="code" label="This transaction as JSON" href={`/api/v1/bitcoin/txs/${tx.txid}`} />
      </HeadingBlock>
      <Card title="The transaction">
        <Facts
          facts={[
            { label: 'Txid', value: <CopyText text={tx.txid} what="the txid" />, isWide: true },
            { label: 'Value of all outputs', value: exactBtc(tx.outputSat) },
            {
              label: 'Fee',
              value: tx.isCoinbase
                ? 'none: it collects them'
                : tx.feeSat === null
                  ? 'unknown: an input value is missing'
                  : `${grouped(tx.feeSat)} sat`,
            },
            {
              label: 'Fee rate',
              value: tx.feerateSatPerVb === null ? '–' : `${significant(tx.feerateSatPerVb, 4)} sat/vB`,
            },
            {
              label: 'Size',
              value: `${grouped(String(tx.sizeBytes))} bytes, ${grouped(String(tx.vsizeVb))} vB`,
            },
            { label: 'Witness', value: tx.hasWitness ? 'yes' : 'no' },
            { label: 'Signals replacement', value: tx.signalsRbf ? 'yes (BIP-125)' : 'no' },
            { label: 'Version, lock time', value: `${tx.version}, ${grouped(String(tx.lockTime))}` },
            { label: 'Carries', value: <Protocols names={tx.protocols} /> },
            ...(tx.wtxid === tx.txid
              ? []
              : [{ label: 'Wtxid', value: <code>{tx.wtxid}</code>, isWide: true }]),
          ]}
        />
      </Card>
      <Counterparts counterparts={tx.counterparts} txid={tx.txid} />
      <TxFlow tx={tx} />
      {tx.operations.length > 0 && <Operations operations={tx.operations} />}
      {tx.inscriptions.length > 0 && <Inscriptions inscriptions={tx.inscriptions} />}
    </div>
  )
}

export const ErrorBoundary = PageError
