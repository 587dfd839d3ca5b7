import { Link } from 'react-router'
import { CopyText, shortened } from '../../blocks/CopyText.tsx'
import { usePeople } from '../../people/usePeople.ts'
import { Button } from '../../ui/Button.tsx'
import { storedSession } from '../session.ts'
import { walletOf } from '../wallets.ts'
import styles from './Call.module.css'

/** How far a transaction has come that a wallet was asked to send. */
export type SendState =
  | { readonly name: 'typing' }
  /** Fields were marked in place of sending. */
  | { readonly name: 'marked' }
  | { readonly name: 'asking' }
  | { readonly name: 'sent'; readonly txid: string }
  | {
      readonly name: 'failed'
      readonly why: string
      /** The bare name of the reason, for whoever is asked for help. */
      readonly raw: string
    }

type Props = {
  state: SendState
  /** A field has a fault now. */
  isFaulty: boolean
  label: string
  onSend: () => void
}

/** The end of a form for a wallet: who sends, the button, and what came of it. Without a wallet it offers to connect one. */
export function Sending({ state, isFaulty, label, onSend }: Props) {
  const { people, state: known } = usePeople()
  const { address } = known.wallet
  const session = storedSession()
  const isAsking = state.name === 'asking'
  return (
    <div className={styles.send}>
      {address === null || session === undefined ? (
        <>
          <p className={styles.words}>A wallet signs and sends it: connect yours. Nothing is sent by that.</p>
          {/* Stays on this page; choosing comes first where no wallet is connected. */}
          <Button look="primary" onClick={() => people?.openWallets('prove')}>
            Connect Wallet
          </Button>
        </>
      ) : (
        <>
          <p className={styles.words}>
            {walletOf(session.userData.walletId).name} sends it from{' '}
            <code title={address}>{shortened(address, 5)}</code> and shows the fee before you sign.
          </p>
          <Button look="primary" disabled={isAsking} onClick={onSend}>
            {isAsking ? 'Waiting for the wallet …' : label}
          </Button>
        </>
      )}
      <div role="status" className={styles.outcome}>
        {state.name === 'asking' && <p>Look at it in the wallet; its window may be behind this one.</p>}
        {state.name === 'marked' && isFaulty && (
          <p className={styles.failure}>Nothing was sent: correct the fields that are marked.</p>
        )}
        {state.name === 'failed' && (
          <div className={styles.failure}>
            <p>{state.why}</p>
            <details className={styles.raw}>
              <summary>Details</summary>
              <code>{state.raw}</code>
            </details>
          </div>
        )}
        {state.name === 'sent' && (
          <p className={styles.sent}>
            Sent. <CopyText text={state.txid} what="the id of the transaction" isShort /> It is final once a
            block holds it; <Link to={`/stacks/tx/${state.txid}`}>its page</Link> is here as soon as that
            block is.
          </p>
        )}
      </div>
    </div>
  )
}
