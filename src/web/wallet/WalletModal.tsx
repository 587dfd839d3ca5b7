import { type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { sentenceOf } from '#kernel/errors.ts'
import { shortened } from '../blocks/CopyText.tsx'
import { Button, iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { openModal } from '../ui/openModal.ts'
import { isMultisig } from './accounts.ts'
import { proveAddress } from './prove.ts'
import { watchWallets } from './providers.ts'
import type { WalletSession } from './session.ts'
import { signInWithWallet } from './signIn.ts'
import styles from './WalletModal.module.css'
import { WALLETS, type Wallet, type WalletId, walletOf } from './wallets.ts'

type Props = {
  /** A connected wallet whose address is to be proved; without one, a wallet is chosen first. */
  session?: WalletSession | undefined
  /** A wallet is connected; whether its address is proved to the server. */
  onFinish: (session: WalletSession, isProved: boolean) => void
  /** Closed with nobody connected anew. */
  onCancel: () => void
}

type Stage =
  | { readonly name: 'choosing'; readonly failure?: string }
  | { readonly name: 'connecting'; readonly id: WalletId }
  | { readonly name: 'proving' | 'multisig'; readonly session: WalletSession }
  | { readonly name: 'unproved'; readonly session: WalletSession; readonly failure: string }

/** Connects one of three wallets and has its address proved, over a page that stands still meanwhile. */
export function WalletModal({ session, onFinish, onCancel }: Props) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [installed, setInstalled] = useState<readonly WalletId[]>()
  const [stage, setStage] = useState<Stage>(session ? proofOf(session) : { name: 'choosing' })
  // Ends what a wallet is asked when the reader goes.
  const asking = useRef<AbortController>(undefined)

  useEffect(() => watchWallets(setInstalled), [])
  useEffect(() => {
    const box = dialog.current
    if (!box) return
    const opener = document.activeElement
    openModal(box)
    box.querySelector<HTMLElement>('h2')?.focus()
    return () => {
      asking.current?.abort()
      box.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  const proving = stage.name === 'proving' ? stage.session : undefined
  useEffect(() => {
    if (proving === undefined) return
    const leaving = new AbortController()
    const { signal } = leaving
    proveAddress(signal).then(
      () => {
        if (!signal.aborted) onFinish(proving, true)
      },
      thrown => {
        if (!signal.aborted) setStage({ name: 'unproved', session: proving, failure: sentenceOf(thrown) })
      },
    )
    return () => leaving.abort()
  }, [proving, onFinish])

  function handleClose(): void {
    const connected = 'session' in stage ? stage.session : undefined
    // The request is cancelled, which closes the modal once nobody is signed in any more.
    if (stage.name === 'connecting') asking.current?.abort()
    else if (connected && connected !== session) onFinish(connected, false)
    else onCancel()
  }

  async function handlePick(id: WalletId): Promise<void> {
    setStage({ name: 'connecting', id })
    asking.current = new AbortController()
    const { signal } = asking.current
    await signInWithWallet(id, {
      signal,
      onFinish: begun => setStage(proofOf(begun)),
      onCancel: error =>
        signal.aborted ? onCancel() : setStage({ name: 'choosing', failure: sentenceOf(error) }),
      onNoWallet: () =>
        setStage({ name: 'choosing', failure: `${walletOf(id).name} is not in this browser any more.` }),
    })
  }

  return (
    <dialog
      ref={dialog}
      className={styles.modal}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault()
        handleClose()
      }}
      onClick={(event: MouseEvent) => {
        if (event.target === event.currentTarget) handleClose()
      }}
      onKeyDown={event => {
        // Some wallets listen for Escape too; it is ours while the modal is open.
        if (event.key === 'Escape') event.stopPropagation()
      }}
    >
      <div className={styles.inner}>
        <header className={styles.head}>
          <h2 id={titleId} tabIndex={-1}>
            {'session' in stage ? 'Prove your address' : 'Connect a wallet'}
          </h2>
          <button type="button" className={iconClass} aria-label="Close" onClick={handleClose}>
            <Icon name="close" />
          </button>
        </header>
        {'session' in stage ? (
          <Proof
            stage={stage}
            onAgain={() => setStage(proofOf(stage.session))}
            onGoOn={() => onFinish(stage.session, false)}
          />
        ) : (
          <Choosing
            installed={installed}
            connecting={stage.name === 'connecting' ? stage.id : undefined}
            failure={stage.name === 'choosing' ? stage.failure : undefined}
            onPick={id => void handlePick(id)}
          />
        )}
      </div>
    </dialog>
  )
}

const proofOf = (session: WalletSession): Stage => ({
  name: isMultisig(session.userData.address) ? 'multisig' : 'proving',
  session,
})

function Choosing({
  installed,
  connecting,
  failure,
  onPick,
}: {
  installed: readonly WalletId[] | undefined
  connecting: WalletId | undefined
  failure: string | undefined
  onPick: (id: WalletId) => void
}) {
  return (
    <>
      <p className={styles.words}>
        Assay asks for the address you use on the main network, and for a signature that proves it. Neither
        costs a fee nor moves anything.
      </p>
      <ul className={styles.list}>
        {WALLETS.map(wallet => (
          <li key={wallet.id}>
            <Row
              wallet={wallet}
              isInstalled={installed?.includes(wallet.id) ?? false}
              isAsked={connecting === wallet.id}
              isBusy={connecting !== undefined}
              onPick={() => onPick(wallet.id)}
            />
          </li>
        ))}
      </ul>
      {installed?.length === 0 && (
        <p className={styles.words}>
          No Stacks wallet is in this browser. Install one of these; it appears here by itself.
        </p>
      )}
      <p role="status" className={failure ? styles.failure : styles.words}>
        {connecting
          ? `Waiting for ${walletOf(connecting).name}. Its window may be behind this one.`
          : failure}
      </p>
    </>
  )
}

type RowProps = {
  wallet: Wallet
  isInstalled: boolean
  isAsked: boolean
  isBusy: boolean
  onPick: () => void
}

function Row({ wallet, isInstalled, isAsked, isBusy, onPick }: RowProps) {
  const words = (
    <>
      <span className={styles.mark} aria-hidden="true">
        {wallet.name.charAt(0)}
      </span>
      <span className={styles.name}>
        {wallet.name}
        <span className={styles.about}>{wallet.about}</span>
      </span>
    </>
  )
  if (!isInstalled)
    return (
      <a
        className={styles.row}
        data-install={wallet.id}
        href={wallet.installUrl}
        target="_blank"
        rel="noopener noreferrer"
      >
        {words}
        <span className={styles.state}>
          {wallet.id === 'AsignaProvider' ? 'Open' : 'Install'}
          <Icon name="external" />
        </span>
      </a>
    )
  return (
    <button type="button" className={styles.row} data-wallet={wallet.id} disabled={isBusy} onClick={onPick}>
      {words}
      <span className={styles.state}>
        {isAsked ? 'Waiting' : 'Connect'}
        <Icon name={isAsked ? 'options' : 'next'} />
      </span>
    </button>
  )
}

function Proof({
  stage,
  onAgain,
  onGoOn,
}: {
  stage: Exclude<Stage, { name: 'choosing' | 'connecting' }>
  onAgain: () => void
  onGoOn: () => void
}) {
  const { walletId, address } = stage.session.userData
  const { name } = walletOf(walletId)
  return (
    <>
      <p className={styles.words}>
        {name} is connected as <span className={styles.address}>{shortened(address)}</span>.
      </p>
      {stage.name === 'proving' && (
        <p className={styles.words} role="status">
          Sign the message in {name}: it proves that the address is yours. It costs nothing.
        </p>
      )}
      {stage.name === 'multisig' && (
        <p className={styles.words} role="status">
          Several keys own this address, and one signature cannot prove it. All that is public is open to you;
          for what belongs to one person, connect an address of one key.
        </p>
      )}
      {stage.name === 'unproved' && (
        <p className={styles.failure} role="status">
          {stage.failure}
        </p>
      )}
      {stage.name !== 'proving' && (
        <div className={styles.acts}>
          {stage.name === 'unproved' && (
            <Button look="primary" onClick={onAgain}>
              Sign again
            </Button>
          )}
          <Button onClick={onGoOn}>Go on without proof</Button>
        </div>
      )}
    </>
  )
}
