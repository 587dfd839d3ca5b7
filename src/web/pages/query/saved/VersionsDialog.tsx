import { lazy, useEffect, useState } from 'react'
import type { QueryVersion, SavedQuery } from '#http/contract.ts'
import { timeText } from '../../../format/day.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button } from '../../../ui/Button.tsx'
import { PartBoundary } from '../PartBoundary.tsx'
import type { QueryClient } from '../queryClient.ts'
import { isSameChart, type QueryTab } from '../tabs.ts'
import { Failure, PanelDialog } from './QueryDialog.tsx'
import styles from './Saved.module.css'

const DiffView = lazy(async () => ({ default: (await import('../code/DiffView.tsx')).DiffView }))

type Props = {
  query: SavedQuery
  /** What is in the editor. */
  editor: Pick<QueryTab, 'sql' | 'values' | 'chart'>
  /** After a conflict: the common ancestor of the newest version and the editor text. */
  base: string | undefined
  client: QueryClient
  onRestore: (version: QueryVersion) => void
  onClose: () => void
}

/** Versions of a saved query, each compared with what is in the editor. */
export function VersionsDialog({ query, editor, base, client, onRestore, onClose }: Props) {
  const [versions, setVersions] = useState<readonly QueryVersion[]>()
  const [failure, setFailure] = useState<string>()
  const [chosen, setChosen] = useState<number>()
  useEffect(() => {
    client.versions(query.id).then(
      found => setVersions(found.toSorted((a, b) => b.version - a.version)),
      error => setFailure(wordsOf(error)),
    )
  }, [client, query.id])
  const shown = versions?.find(({ version }) => version === chosen) ?? versions?.[0]
  const isSameText = shown?.sql === editor.sql
  const isSameLook = shown !== undefined && isSameChart(shown.chart, editor.chart)
  const isSameInput =
    shown !== undefined &&
    Object.entries(shown.parameters).every(([name, value]) => editor.values[name] === value)
  return (
    <PanelDialog title={`Versions of ${query.name}`} closeLabel="Close versions" onClose={onClose}>
      <Failure text={failure} />
      {versions !== undefined && shown !== undefined && (
        <>
          <div className={styles.compare}>
            <label>
              Compare{' '}
              <select value={shown.version} onChange={event => setChosen(Number(event.currentTarget.value))}>
                {versions.map(({ version, savedAt, savedBy }) => (
                  <option key={version} value={version}>
                    Version {version}, {timeText(savedAt)}
                    {savedBy !== '' && ` by ${savedBy}`}
                  </option>
                ))}
              </select>
            </label>{' '}
            with the editor
            <Button
              small
              look="primary"
              disabled={isSameText && isSameLook && isSameInput}
              onClick={() => onRestore(shown)}
            >
              Restore version {shown.version}
            </Button>
          </div>
          {isSameText ? (
            <p className={styles.note}>
              The editor has the same text
              {isSameLook ? '' : ', with another chart'}
              {isSameInput ? '' : `${isSameLook ? ', with' : ' and'} other parameter values`}.
            </p>
          ) : (
            <PartBoundary part="the comparison" fallback={<p role="status">Loading the comparison…</p>}>
              {base === undefined ? (
                <DiffView key={shown.version} before={shown.sql} after={editor.sql} />
              ) : (
                <div className={styles.sides}>
                  <section aria-label={`Changes in version ${shown.version}`}>
                    <h3 className={styles.part}>
                      Version {shown.version}
                      {shown.savedBy !== '' && ` by ${shown.savedBy}`}
                    </h3>
                    <DiffView key={shown.version} before={base} after={shown.sql} />
                  </section>
                  <section aria-label="Your changes">
                    <h3 className={styles.part}>Your text</h3>
                    <DiffView before={base} after={editor.sql} />
                  </section>
                  <p className={styles.note}>Both are compared with the version you started from.</p>
                </div>
              )}
            </PartBoundary>
          )}
        </>
      )}
    </PanelDialog>
  )
}
