import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { Button, iconClass } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { openModal } from '../../../ui/openModal.ts'
import styles from './Saved.module.css'

/** Opens a modal dialog while its component is mounted. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opened = dialog.current
    if (opened) openModal(opened)
    return () => opened?.close()
  }, [])
  return dialog
}

/** Error message of the last action, if it failed. */
export const Failure = ({ text }: { text: string | undefined }) =>
  text !== undefined && (
    <p className={styles.failure} role="alert">
      {text}
    </p>
  )

type PanelProps = { title: string; closeLabel: string; onClose: () => void; children: ReactNode }

/** A wide dialog with a close button next to its title. */
export function PanelDialog({ title, closeLabel, onClose, children }: PanelProps) {
  const id = useId()
  return (
    <dialog
      ref={useModal()}
      className={`${styles.dialog} ${styles.wide}`}
      aria-labelledby={id}
      onClose={onClose}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {/* Without a tip: the dialog would cut it off. */}
        <button type="button" className={iconClass} aria-label={closeLabel} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  )
}

type FormProps = {
  title: string
  /** Label of the button that submits the form. */
  submit: string
  failure: string | undefined
  /** Buttons before Cancel. */
  buttons?: ReactNode
  onSubmit: (fields: FormData) => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form, Cancel and a submit button. */
export function FormDialog({ title, submit, failure, buttons, onSubmit, onClose, children }: FormProps) {
  const id = useId()
  return (
    <dialog ref={useModal()} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <form
        className={styles.fields}
        onSubmit={event => {
          event.preventDefault()
          // Otherwise React bubbles the event to the editor form.
          event.stopPropagation()
          void onSubmit(new FormData(event.currentTarget))
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        <Failure text={failure} />
        <div className={styles.buttons}>
          {buttons}
          <Button small onClick={onClose}>
            Cancel
          </Button>
          <Button small look="primary" type="submit">
            {submit}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
