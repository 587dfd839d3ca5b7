import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import type { SavedQuery } from '#http/contract.ts'
import { ApiRefusal } from '../../../api.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { usePeople } from '../../../people/usePeople.ts'
import { Button } from '../../../ui/Button.tsx'
import { shortcutText } from '../../../ui/keyboard.ts'
import type { QueryClient } from '../queryClient.ts'
import type { QueryTab } from '../tabs.ts'
import { CommentsDialog } from './CommentsDialog.tsx'
import { changeOf } from './changeOf.ts'
import { EditDialog } from './EditDialog.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import styles from './Saved.module.css'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { VersionsDialog } from './VersionsDialog.tsx'

type Props = {
  tab: QueryTab
  /** Whether the user has the feature. Without it, they can only read, star and comment on shared queries. */
  maySave: boolean
  client: QueryClient
  onChange: (by: Partial<Omit<QueryTab, 'id'>>) => void
  /** The lists of saved queries have changed. */
  onSaved: () => void
}

/** Saves the query of a tab, with its versions, its star and its link. */
export function SavedActions({ tab, maySave, client, onChange, onSaved }: Props) {
  const { queryToken } = usePeople()
  const [query, setQuery] = useState<SavedQuery>()
  const [dialog, setDialog] = useState<
    'edit' | 'save' | 'copy' | 'versions' | 'share' | 'comments' | 'schedule'
  >()
  const [note, setNote] = useState<string>()
  /** After a conflict: the text that both the user and the other editor started from. */
  const [base, setBase] = useState<string>()
  const savedId = tab.saved?.id
  const savedVersion = tab.saved?.version

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is another state of the same query
  useEffect(() => {
    if (savedId === undefined) {
      setQuery(undefined)
      return
    }
    let isGone = false
    client.savedQuery(savedId).then(
      found => {
        if (!isGone) setQuery(found)
      },
      error => {
        if (!isGone) setNote(wordsOf(error))
      },
    )
    return () => {
      isGone = true
    }
  }, [client, savedId, savedVersion])

  const shown = query?.id === savedId ? query : undefined
  const own = shown?.access === 'owner' ? shown : undefined
  /** Editors of a team save into the query of its owner. */
  const writable = own ?? (shown?.access === 'editor' ? shown : undefined)
  const take = (saved: SavedQuery, said: string) => {
    setQuery(saved)
    onChange({ name: saved.name, saved: savedStateOf(saved) })
    setNote(said)
    setDialog(undefined)
    onSaved()
  }
  const handleSave = async () => {
    if (writable === undefined || tab.saved === null) {
      setDialog('save')
      return
    }
    try {
      const saved = await client.save(writable.id, { ...changeOf(writable, tab), basedOn: tab.saved.version })
      take(saved, [`Saved as version ${saved.version}.`, ...saved.warnings].join(' '))
    } catch (error) {
      // Somebody else or another window saved meanwhile: the reader compares, and the next save is meant to be the newest.
      if (error instanceof ApiRefusal && error.problem.status === 409) {
        const newest = await client.savedQuery(writable.id).catch(() => writable)
        setQuery(newest)
        setBase(tab.saved.sql)
        onChange({ saved: savedStateOf(newest) })
        setDialog('versions')
        setNote(`Version ${newest.version} was saved meanwhile. Save again to keep your text as the newest.`)
        return
      }
      setNote(wordsOf(error))
    }
  }
  const handleStar = async () => {
    if (query === undefined) return
    if (queryToken === null) {
      setNote('Sign in to star a query.')
      return
    }
    try {
      await client.star(query.id, !query.isStarred)
      setQuery(await client.savedQuery(query.id))
      onSaved()
    } catch (error) {
      setNote(wordsOf(error))
    }
  }
  return (
    <>
      {maySave && (
        <Button
          small
          id="query-save"
          title={`Save (${shortcutText('⌘S', 'Ctrl+S')})`}
          onClick={() => void handleSave()}
        >
          Save
        </Button>
      )}
      {query !== undefined && (
        <>
          {maySave && (
            <Button small onClick={() => setDialog('copy')}>
              {writable === undefined ? 'Fork' : 'Save as'}
            </Button>
          )}
          <Button
            small
            onClick={() => {
              setBase(undefined)
              setDialog('versions')
            }}
          >
            Version {query.version}
          </Button>
          <Button small aria-pressed={query.isStarred} onClick={() => void handleStar()}>
            <span aria-hidden="true">{query.isStarred ? '★' : '☆'}</span>{' '}
            <span className="visually-hidden">Star, </span>
            {query.stars}
          </Button>
          <Button small onClick={() => setDialog('schedule')}>
            Schedule
            {(query.schedule === 'failing' || query.schedule === 'paused') && (
              <span className={styles.mark} data-mark={query.schedule}>
                {query.schedule}
              </span>
            )}
          </Button>
          <Button small onClick={() => setDialog('comments')}>
            Comments
          </Button>
          {own !== undefined && (
            <>
              <Button small onClick={() => setDialog('edit')}>
                Edit
              </Button>
              {maySave && (
                <Button small onClick={() => setDialog('share')}>
                  Share
                </Button>
              )}
            </>
          )}
          {!maySave && (
            <span className={styles.note}>
              Save a copy or schedule it with <Link to="/pricing">Premium</Link>.
            </span>
          )}
        </>
      )}
      {note !== undefined && (
        <span className={styles.note} role="status">
          {note}
        </span>
      )}
      {/* Not within the form of the editor: a form in a form is not sent by its own rules. */}
      {createPortal(
        <>
          {(dialog === 'save' || dialog === 'copy') && (
            <SaveDialog
              tab={tab}
              from={query}
              client={client}
              onSaved={saved => take(saved, 'Saved.')}
              onClose={() => setDialog(undefined)}
            />
          )}
          {dialog === 'edit' && own !== undefined && (
            <EditDialog
              query={own}
              client={client}
              onSaved={saved => {
                setQuery(saved)
                onChange({ name: saved.name })
                setNote('Saved.')
                setDialog(undefined)
                onSaved()
              }}
              onDeleted={() => {
                onChange({ saved: null })
                setNote('Deleted. The text is still in this tab.')
                setDialog(undefined)
                onSaved()
              }}
              onClose={() => setDialog(undefined)}
            />
          )}
          {dialog === 'comments' && query !== undefined && (
            <CommentsDialog query={query} client={client} onClose={() => setDialog(undefined)} />
          )}
          {dialog === 'schedule' && query !== undefined && (
            <ScheduleDialog
              query={query}
              client={client}
              onClose={() => {
                setDialog(undefined)
                onSaved()
                client.savedQuery(query.id).then(setQuery, () => {})
              }}
            />
          )}
          {dialog === 'share' && own !== undefined && (
            <ShareDialog
              query={own}
              client={client}
              onShared={(saved, said) => {
                setQuery(saved)
                setNote(said)
                setDialog(undefined)
                onSaved()
              }}
              onClose={() => setDialog(undefined)}
            />
          )}
          {dialog === 'versions' && query !== undefined && (
            <VersionsDialog
              query={query}
              editor={tab}
              base={base}
              client={client}
              onRestore={({ sql, parameters, chart }) => {
                // What is saved next replaces the newest version on purpose.
                onChange({
                  sql,
                  values: parameters,
                  chart,
                  saved: savedStateOf(query),
                })
                setNote(`Restored in the editor.${maySave ? ' Save to keep it.' : ''}`)
                setDialog(undefined)
              }}
              onClose={() => setDialog(undefined)}
            />
          )}
        </>,
        document.body,
      )}
    </>
  )
}

/** What a tab keeps of the saved query that it shows. */
const savedStateOf = ({ id, version, sql, chart }: SavedQuery): NonNullable<QueryTab['saved']> => ({
  id,
  version,
  sql,
  chart,
})
