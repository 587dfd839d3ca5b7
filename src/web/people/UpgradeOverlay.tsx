import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { openModal } from '../ui/openModal.ts'
import styles from './UpgradeOverlay.module.css'
import { usePeople } from './usePeople.ts'

type Props = {
  /** Hides it. Called at once, whatever the click leads to. */
  onClose: () => void
  /** Where a click beside its buttons leads; undefined: back to the page below. */
  leadsTo?: string
}

/** Over an inert page. Its buttons act, and any other click leaves. */
export function UpgradeOverlay({ onClose, leadsTo }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const navigate = useNavigate()
  const { people } = usePeople()
  const leave = () => {
    onClose()
    if (leadsTo !== undefined) navigate(leadsTo)
  }
  useEffect(() => {
    const overlay = dialog.current
    const opener = document.activeElement
    if (overlay) openModal(overlay)
    return () => {
      overlay?.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  const handleClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element && target.closest('a, button'))) leave()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does by key what a click beside the buttons does
    <dialog
      ref={dialog}
      className={styles.overlay}
      aria-labelledby={titleId}
      onClick={handleClick}
      onCancel={event => {
        event.preventDefault()
        leave()
      }}
    >
      <div className={styles.card}>
        <h2 id={titleId} className={styles.title}>
          Upgrade to Premium
        </h2>
        <p className={styles.words}>
          Unlock powerful Bitcoin L1, L2, and Dapp analytics—tailored for professionals.
        </p>
        <ButtonLink to="/pricing" look="primary" onClick={onClose}>
          Go Premium
        </ButtonLink>
        <Button onClick={() => void people?.signIn()}>Already have Premium? Log in</Button>
      </div>
    </dialog>
  )
}
