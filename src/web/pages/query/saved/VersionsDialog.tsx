import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { QueryVersion, SavedQuery } from '#http/contract.ts'
import { timeText } from '../../../format/day.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { openModal } from '../../../ui/openModal.ts'
import type { QueryClient } from '../queryClient.ts'
import styles from './Saved.module.css'

const DiffView = lazy(async () => ({ default: (await import('../code/DiffView.tsx')).DiffView }))

type Props = {
  query: SavedQuery
  /** The text in the editor. */
  sql: string
  client: QueryClient
  onRestore: (sql: string, parameters: Readonly<Record<string, string>>) => void
  onClose: () => void
}

/** Versions of a saved query, each compared with what is in the editor. */
export function VersionsDialog({ query, sql, client, onRestore, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [versions, setVersions] = useState<readonly QueryVersion[]>()
  const [failure, setFailure] = useState<string>()
  const [chosen, setChosen] = useState<number>()
  useEffect(() => {
    const opened = dialog.current
    if (opened) openModal(opened)
    return () => opened?.close()
  }, [])
  useEffect(() => {
    client.versions(query.id).then(
      found => setVersions(found.toSorted((a, b) => b.version - a.version)),
      error => setFailure(wordsOf(error)),
    )
  }, [client, query.id])
  const shown = versions?.find(({ version }) => version === chosen) ?? versions?.[0]
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles.wide}`}
      aria-labelledby="query-versions-title"
      onClose={onClose}
    >
      <div className={styles.head}>
        <h2 id="query-versions-title">Versions of {query.name}</h2>
        <IconButton icon="close" label="Close versions" onClick={onClose} />
      </div>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {versions !== undefined && shown !== undefined && (
        <>
          <div className={styles.compare}>
            <label>
              Compare{' '}
              <select value={shown.version} onChange={event => setChosen(Number(event.currentTarget.value))}>
                {versions.map(({ version, savedAt }) => (
                  <option key={version} value={version}>
                    Version {version}, {timeText(savedAt)}
                  </option>
                ))}
              </select>
            </label>{' '}
            with the editor
            <Button
              small
              look="primary"
              disabled={shown.sql === sql}
              onClick={() => onRestore(shown.sql, shown.parameters)}
            >
              Restore version {shown.version}
            </Button>
          </div>
          {shown.sql === sql ? (
            <p className={styles.note}>The editor has the same text.</p>
          ) : (
            <Suspense fallback={<p role="status">Loading the comparison…</p>}>
              <DiffView key={shown.version} before={shown.sql} after={sql} />
            </Suspense>
          )}
        </>
      )}
    </dialog>
  )
}
