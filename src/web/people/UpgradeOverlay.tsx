import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../ui/Button.tsx'
import styles from './UpgradeOverlay.module.css'
import { usePeople } from './usePeople.ts'

type Props = {
  /** What a click beside its buttons does: home, where the page is blocked; else back to the page. */
  onLeave?: () => void
}

/** Over an inert page. Its buttons act, and any other click leaves, home unless told otherwise. */
export function UpgradeOverlay({ onLeave }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const navigate = useNavigate()
  const { people } = usePeople()
  const leave = onLeave ?? (() => navigate('/'))
  useEffect(() => {
    const overlay = dialog.current
    const opener = document.activeElement
    overlay?.showModal()
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
        <ButtonLink to="/pricing" look="primary" onClick={onLeave}>
          Go Premium
        </ButtonLink>
        <Button onClick={() => void people?.signIn()}>Already have Premium? Log in</Button>
      </div>
    </dialog>
  )
}
