import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import styles from './AssaySheet.module.css'
import { AssayView } from './AssayView.tsx'
import { withoutAssay } from './address.ts'
import type { LoadedAssay } from './loadAssay.server.ts'

/** The assay view over a page, at the address of that page. The server draws it open; a script makes it modal. */
export function AssaySheet({ assay }: { assay: LoadedAssay }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element>(null)
  const away = pathname + withoutAssay(search)

  useEffect(() => {
    const sheet = dialog.current
    if (!sheet) return
    opener.current = document.activeElement
    sheet.close()
    sheet.showModal()
    // The title first: a reader hears what opened, and no control lights up unasked.
    sheet.querySelector<HTMLElement>('#assay-title')?.focus()
    return () => {
      sheet.close()
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    }
  }, [])

  const handleClose = () => navigate(away, { preventScrollReset: true })
  return (
    <dialog
      ref={dialog}
      open
      closedby="any"
      className={styles.sheet}
      aria-labelledby="assay-title"
      onCancel={event => {
        event.preventDefault()
        handleClose()
      }}
    >
      <div className={styles.inner}>
        <div className={styles.corner}>
          <Link to={away} className={iconClass} aria-label="Close the assay view" preventScrollReset>
            <Icon name="close" />
          </Link>
        </div>
        <AssayView key={assay.ref} assay={assay} />
      </div>
    </dialog>
  )
}
