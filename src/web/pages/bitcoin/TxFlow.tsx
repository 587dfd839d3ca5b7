import { Link } from 'react-router'
import type { TxDetail, TxInputView, TxOutputView } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { shortened } from '../../blocks/CopyText.tsx'
import { counted } from '../../format/counted.ts'
import { exactBtc, grouped } from '../../format/figure.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './TxFlow.module.css'
import { scriptTypeText } from './words.ts'

/** Where the coins come from and where they go, side by side. */
export function TxFlow({ tx }: { tx: TxDetail }) {
  const known = tx.inputs.every(input => input.valueSat !== null)
  const inputSat = tx.inputs.reduce((sum, input) => sum + BigInt(input.valueSat ?? '0'), 0n)
  return (
    <Card
      title="Inputs and outputs"
      foot={
        <>
          <span>In {tx.isCoinbase ? 'newly made' : known ? exactBtc(String(inputSat)) : 'not known'}</span>
          <span>Out {exactBtc(tx.outputSat)}</span>
          {tx.feeSat !== null && !tx.isCoinbase && <span>Fee {grouped(tx.feeSat)} sat</span>}
        </>
      }
    >
      <div className={styles.flow}>
        <ol aria-label={counted(tx.inputs.length, 'input')}>
          {tx.inputs.map(input => (
            <Input key={input.vin} input={input} isCoinbase={tx.isCoinbase} />
          ))}
        </ol>
        <span className={styles.arrow}>
          <Icon name="arrow" />
        </span>
        <ol aria-label={counted(tx.outputs.length, 'output')}>
          {tx.outputs.map(output => (
            <Output key={output.vout} output={output} />
          ))}
        </ol>
      </div>
    </Card>
  )
}

function Input({ input, isCoinbase }: { input: TxInputView; isCoinbase: boolean }) {
  if (isCoinbase || input.prevTxid === null) {
    return (
      <li>
        <p className={styles.who}>Coinbase</p>
        <p className={styles.note}>
          new coins and the fees of the block ·{' '}
          <code title={input.scriptSig}>{shortened(input.scriptSig, 16)}</code>
        </p>
      </li>
    )
  }
  return (
    <li>
      <p className={styles.line}>
        <span className={styles.who}>
          {input.address ? <code title={input.address}>{input.address}</code> : 'script without an address'}
        </span>
        <b>{input.valueSat === null ? 'value unknown' : exactBtc(input.valueSat)}</b>
      </p>
      <p className={styles.note}>
        {input.scriptType && `${scriptTypeText(input.scriptType)} · `}
        output {input.prevVout} of{' '}
        <Link to={`/bitcoin/tx/${input.prevTxid}`}>
          <code>{shortened(input.prevTxid, 6)}</code>
        </Link>
        {input.prevHeight !== null && (
          <>
            {' '}
            in{' '}
            <Link to={`/bitcoin/block/${input.prevHeight}`}>block {grouped(String(input.prevHeight))}</Link>
          </>
        )}
        {input.witnessBytes > 0 && ` · ${grouped(String(input.witnessBytes))} witness bytes`}
      </p>
    </li>
  )
}

function Output({ output }: { output: TxOutputView }) {
  const isData = output.scriptType === 'op_return'
  return (
    <li>
      <p className={styles.line}>
        <span className={styles.who}>
          {output.address ? (
            <code title={output.address}>{output.address}</code>
          ) : isData ? (
            'Data'
          ) : (
            'script without an address'
          )}
        </span>
        <b>{exactBtc(output.valueSat)}</b>
      </p>
      {output.opReturnText && <p className={styles.said}>{output.opReturnText}</p>}
      <p className={styles.note}>
        {scriptTypeText(output.scriptType)}
        {!isData && (output.spentBy ? <Spent by={output.spentBy} /> : ' · not spent in the indexed blocks')}
      </p>
      {(isData || output.address === null) && (
        <details className={styles.script}>
          <summary>Script</summary>
          <code>{output.script}</code>
        </details>
      )}
    </li>
  )
}

function Spent({ by }: { by: NonNullable<TxOutputView['spentBy']> }) {
  return (
    <>
      {' '}
      · spent by{' '}
      <Link to={`/bitcoin/tx/${by.txid}`}>
        <code>{shortened(by.txid, 6)}</code>
      </Link>{' '}
      in <Link to={`/bitcoin/block/${by.height}`}>block {grouped(String(by.height))}</Link>
    </>
  )
}
