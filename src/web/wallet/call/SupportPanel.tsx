import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '#kernel/errors.ts'
import { demandStringLength, MEMO_BYTES, StacksInputError } from '#kernel/stacksRules.ts'
import { transferStx } from '../send.ts'
import styles from './Call.module.css'
import { Field } from './Field.tsx'
import { ustxOf } from './limits.ts'
import { notSent, walletGone } from './notSent.ts'
import { Sending, type SendState } from './Sending.tsx'

/** Sends STX from the connected wallet to one address. */
export function SupportPanel({ recipient }: { recipient: string }) {
  const [amount, setAmount] = useState('')
  const [memo, setMemo] = useState('')
  const [isTried, setTried] = useState(false)
  const [state, setState] = useState<SendState>({ name: 'typing' })
  const box = useRef<HTMLDivElement>(null)
  // What was pressed to open it is gone.
  useEffect(() => box.current?.querySelector('input')?.focus({ preventScroll: true }), [])
  const amountFault = faultOf(() => {
    if (ustxOf(amount) === 0n) throw new StacksInputError('amount', 'An amount above zero is needed.', amount)
  })
  const memoFault = faultOf(() => demandStringLength(memo, MEMO_BYTES))

  async function handleSend(): Promise<void> {
    setTried(true)
    if (amountFault !== undefined || memoFault !== undefined) return setState({ name: 'marked' })
    setState({ name: 'asking' })
    await transferStx(
      { recipient, amountUstx: String(ustxOf(amount)), memo },
      {
        onFinish: ({ txid }) => setState({ name: 'sent', txid }),
        onCancel: error => setState(notSent(error)),
        onNoWallet: () => setState(notSent(walletGone())),
      },
    )
  }

  return (
    <div ref={box} className={styles.panel}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
        }}
      >
        <Field
          label="Amount, STX"
          note="Such as 25 or 0.5"
          fault={isTried ? amountFault : undefined}
          value={amount}
          onChange={setAmount}
        />
        <Field
          label="Memo, public for ever"
          note={`At most ${MEMO_BYTES} bytes; may stay empty`}
          fault={isTried ? memoFault : undefined}
          value={memo}
          onChange={setMemo}
        />
        <Sending
          state={state}
          isFaulty={amountFault !== undefined || memoFault !== undefined}
          label="Send"
          onSend={() => void handleSend()}
        />
      </form>
    </div>
  )
}

function faultOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (thrown) {
    return sentenceOf(thrown)
  }
}
