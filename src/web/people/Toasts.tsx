import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from '../ui/Button.tsx'
import styles from './Toasts.module.css'
import { dismiss, type Toast, toastStore } from './toasts.ts'

/** News goes by itself; what went wrong stays until it is dismissed. */
const NEWS_MS = 8_000

/** What is said beside the page, the latest last. */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read)
  return (
    <section className={styles.stack} aria-label="Messages">
      {toasts.map(toast => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast: { id, title, text, raw, isError } }: { toast: Toast }) {
  useEffect(() => {
    if (isError) return
    const timer = setTimeout(() => dismiss(id), NEWS_MS)
    return () => clearTimeout(timer)
  }, [id, isError])
  return (
    <section
      className={isError ? `${styles.toast} ${styles.error}` : styles.toast}
      role={isError ? 'alert' : 'status'}
    >
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        <p>{text}</p>
        {raw !== undefined && (
          <details className={styles.raw}>
            <summary>Details</summary>
            <code>{raw}</code>
          </details>
        )}
      </div>
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
    </section>
  )
}
