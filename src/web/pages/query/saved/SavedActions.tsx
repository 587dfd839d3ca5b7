import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { SavedQuery } from '#http/contract.ts'
import { ApiRefusal } from '../../../api.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyToClipboard } from '../../../ui/copyToClipboard.ts'
import { shortcutText } from '../../../ui/keyboard.ts'
import { openModal } from '../../../ui/openModal.ts'
import { parametersOf } from '../parameters.ts'
import type { QueryClient, SavedQueryChange } from '../queryClient.ts'
import type { QueryTab } from '../tabs.ts'
import styles from './Saved.module.css'
import { VersionsDialog } from './VersionsDialog.tsx'

type Props = {
  tab: QueryTab
  client: QueryClient
  onChange: (by: Partial<Omit<QueryTab, 'id'>>) => void
  /** The lists of saved queries have changed. */
  onSaved: () => void
}

/** Saves the query of a tab, with its versions, its star and its link. */
export function SavedActions({ tab, client, onChange, onSaved }: Props) {
  const [query, setQuery] = useState<SavedQuery>()
  const [dialog, setDialog] = useState<'save' | 'copy' | 'versions'>()
  const [note, setNote] = useState<string>()
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

  const own = query?.id === savedId && query?.isOwn ? query : undefined
  const take = (saved: SavedQuery, said: string) => {
    setQuery(saved)
    onChange({ name: saved.name, saved: savedStateOf(saved) })
    setNote(said)
    setDialog(undefined)
    onSaved()
  }
  const handleSave = async () => {
    if (own === undefined || tab.saved === null) {
      setDialog('save')
      return
    }
    try {
      const saved = await client.save(own.id, { ...changeOf(own, tab), basedOn: tab.saved.version })
      take(saved, `Saved as version ${saved.version}.`)
    } catch (error) {
      // Another window saved meanwhile: the reader compares, and the next save is meant to be the newest.
      if (error instanceof ApiRefusal && error.problem.status === 409) {
        const newest = await client.savedQuery(own.id).catch(() => own)
        setQuery(newest)
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
    try {
      await client.star(query.id, !query.isStarred)
      setQuery(await client.savedQuery(query.id))
      onSaved()
    } catch (error) {
      setNote(wordsOf(error))
    }
  }
  const handleShare = async () => {
    if (own === undefined) return
    try {
      if (own.visibility === 'private') {
        const saved = await client.save(own.id, {
          ...changeOf(own, { ...tab, sql: own.sql, chart: own.chart }),
          visibility: 'link',
          basedOn: own.version,
        })
        take(saved, 'Anyone with the link can open it. Link copied.')
      } else setNote('Link copied.')
      await copyToClipboard(`${window.location.origin}/Query?id=${own.id}`)
    } catch (error) {
      setNote(wordsOf(error))
    }
  }
  return (
    <>
      <Button
        small
        id="query-save"
        title={`Save (${shortcutText('⌘S', 'Ctrl+S')})`}
        onClick={() => void handleSave()}
      >
        Save
      </Button>
      {query !== undefined && (
        <>
          <Button small onClick={() => setDialog('copy')}>
            {own === undefined ? 'Fork' : 'Save as'}
          </Button>
          <Button small onClick={() => setDialog('versions')}>
            Version {query.version}
          </Button>
          <Button small aria-pressed={query.isStarred} onClick={() => void handleStar()}>
            <span aria-hidden="true">{query.isStarred ? '★' : '☆'}</span>{' '}
            <span className="visually-hidden">Star, </span>
            {query.stars}
          </Button>
          {own !== undefined && (
            <Button small onClick={() => void handleShare()}>
              Share
            </Button>
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
          {dialog === 'versions' && query !== undefined && (
            <VersionsDialog
              query={query}
              editor={tab}
              client={client}
              onRestore={({ sql, parameters, chart }) => {
                // What is saved next replaces the newest version on purpose.
                onChange({
                  sql,
                  values: parameters,
                  chart,
                  saved: savedStateOf(query),
                })
                setNote('Restored in the editor. Save to keep it.')
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

/** What the tab has, with everything else as it was. */
const changeOf = (
  { about, folder, visibility }: Pick<SavedQuery, 'about' | 'folder' | 'visibility'>,
  { name, sql, values, types, chart }: QueryTab,
): SavedQueryChange => {
  const used = new Set(parametersOf(sql, types).map(parameter => parameter.name))
  return {
    name,
    about,
    folder,
    sql,
    parameters: Object.fromEntries(Object.entries(values).filter(([key]) => used.has(key))),
    chart: chart && { ...chart, values: [...chart.values] },
    visibility,
  }
}

type SaveProps = {
  tab: QueryTab
  /** The saved query that is copied. */
  from: SavedQuery | undefined
  client: QueryClient
  onSaved: (saved: SavedQuery) => void
  onClose: () => void
}

const VISIBILITY_LABEL = {
  private: 'Private',
  link: 'Anyone with the link',
  public: 'Public, listed for everyone',
} as const
type Visibility = keyof typeof VISIBILITY_LABEL
const isVisibility = (text: string): text is Visibility => text in VISIBILITY_LABEL

function SaveDialog({ tab, from, client, onSaved, onClose }: SaveProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const opened = dialog.current
    if (opened) openModal(opened)
    return () => opened?.close()
  }, [])
  const handleSubmit = async (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const visibility = text('visibility')
    try {
      const kept = {
        about: text('about'),
        folder: text('folder'),
        visibility: isVisibility(visibility) ? visibility : ('private' as const),
      }
      const change = { ...changeOf(kept, tab), name: text('name') }
      onSaved(await client.create({ ...change, ...(from !== undefined && { forkOf: from.id }) }))
    } catch (error) {
      setFailure(wordsOf(error))
    }
  }
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="query-save-title" onClose={onClose}>
      <form
        className={styles.fields}
        onSubmit={event => {
          event.preventDefault()
          event.stopPropagation()
          void handleSubmit(new FormData(event.currentTarget))
        }}
      >
        <h2 id="query-save-title">{from === undefined ? 'Save query' : 'Save a copy'}</h2>
        <label>
          Name
          <input
            name="name"
            required
            maxLength={200}
            defaultValue={from === undefined ? tab.name : `Copy of ${from.name}`}
          />
        </label>
        <label>
          Description
          <textarea name="about" rows={3} maxLength={5000} defaultValue={from?.about} />
        </label>
        <label>
          Folder
          <input name="folder" maxLength={100} placeholder="Optional" defaultValue={from?.folder} />
        </label>
        <label>
          Who can open it
          <select name="visibility" defaultValue="private">
            {Object.entries(VISIBILITY_LABEL).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {failure !== undefined && (
          <p className={styles.failure} role="alert">
            {failure}
          </p>
        )}
        <div className={styles.buttons}>
          <Button small onClick={onClose}>
            Cancel
          </Button>
          <Button small look="primary" type="submit">
            Save
          </Button>
        </div>
      </form>
    </dialog>
  )
}
