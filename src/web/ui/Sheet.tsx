import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { iconClass } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { openModal } from './openModal.ts'
import styles from './Sheet.module.css'

type Props = {
  /** The page without it. */
  away: string
  /** Id of its title, which takes the focus. */
  titleId: string
  closeLabel: string
  isWide?: boolean
  children: ReactNode
}

/** A sheet over a page, at an address of that page. The server draws it open; a script makes it modal. */
export function Sheet({ away, titleId, closeLabel, isWide = false, children }: Props) {
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element>(null)

  useEffect(() => {
    const sheet = dialog.current
    if (!sheet) return
    opener.current = document.activeElement
    sheet.close()
    openModal(sheet)
    // The title first: a reader hears what opened, and no control lights up unasked.
    sheet.querySelector<HTMLElement>(`#${titleId}`)?.focus()
    return () => {
      sheet.close()
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    }
  }, [titleId])

  const handleClose = () => navigate(away, { preventScrollReset: true })
  return (
    <dialog
      ref={dialog}
      open
      closedby="any"
      className={isWide ? `${styles.sheet} ${styles.wide}` : styles.sheet}
      aria-labelledby={titleId}
      onCancel={event => {
        // A cancelled sheet above it tells its own.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        handleClose()
      }}
    >
      <div className={styles.inner}>
        <div className={styles.corner}>
          <Link to={away} className={iconClass} aria-label={closeLabel} preventScrollReset>
            <Icon name="close" />
          </Link>
        </div>
        {children}
      </div>
    </dialog>
  )
}
