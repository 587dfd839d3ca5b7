import { useEffect, useState } from 'react'
import type { OpenedText, TextPreview } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import { Written } from '../content/Written.tsx'
import styles from './Editor.module.css'
import { HistoryList } from './HistoryList.tsx'
import { templateOf } from './templateOf.ts'

type Props = { people: People; kind: string; name: string; isNew: boolean; onSaved: () => void }

/** One text: its words, how readers would see them, and all versions there were. */
export function TextEditor({ people, kind, name, isNew, onSaved }: Props) {
  const address = `/api/v1/cms/texts/${kind}/${name}`
  const [opened, setOpened] = useState<Pick<OpenedText, 'versions' | 'shown'>>({
    versions: [],
    shown: 'nothing',
  })
  const [text, setText] = useState(() => (isNew ? templateOf(kind) : ''))
  const [preview, setPreview] = useState<TextPreview>()
  const [at, setAt] = useState('')
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    if (isNew) return
    const gone = new AbortController()
    askPerson(people, address, { signal: gone.signal }).then(
      answer => {
        setOpened(answer as OpenedText)
        setText((answer as OpenedText).text)
      },
      error => {
        if (!gone.signal.aborted) setSaid(wordsOf(error))
      },
    )
    return () => gone.abort()
  }, [people, address, isNew])

  /** Runs a step; its refusal is said beside the buttons, and the words stay in the field. */
  async function doing(step: () => Promise<string>): Promise<void> {
    setBusy(true)
    setSaid(await step().catch(wordsOf))
    setBusy(false)
  }
  const show = () =>
    doing(async () => {
      setPreview(
        (await askPerson(people, `${address}/preview`, { method: 'POST', body: { text } })) as TextPreview,
      )
      return 'This is how readers would see it.'
    })
  const save = (publish: string, words: string | null) =>
    doing(async () => {
      const basedOn = opened.versions[0]?.id ?? null
      await askPerson(people, address, { method: 'POST', body: { text: words, publish, basedOn } })
      const now = (await askPerson(people, address)) as OpenedText
      setOpened(now)
      if (words === null) setText(now.text)
      onSaved()
      return words === null
        ? 'The file counts again.'
        : publish === 'draft'
          ? 'Saved as a draft. Readers cannot see it.'
          : publish === 'now'
            ? 'Published.'
            : 'Saved; it is shown from its time on.'
    })
  const restore = (id: number) =>
    doing(async () => {
      setText(((await askPerson(people, `/api/v1/cms/versions/${id}`)) as { text: string }).text)
      return 'The words of that version are in the field. Save or publish them to have them back.'
    })
  const unschedule = (id: number) =>
    doing(async () => {
      await askPerson(people, `/api/v1/cms/versions/${id}/schedule`, { method: 'DELETE' })
      setOpened((await askPerson(people, address)) as OpenedText)
      onSaved()
      return 'It is a draft now.'
    })

  return (
    <Card title={`${kind}/${name}`}>
      <div className={styles.editor}>
        <label className={styles.field}>
          {kind === 'ads' ? 'The list, as YAML' : 'Head of YAML, then Markdown'}
          <textarea
            rows={22}
            spellCheck={kind !== 'ads'}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <p className={styles.row}>
          <Button disabled={isBusy} onClick={() => void show()}>
            Preview
          </Button>
          <Button disabled={isBusy} onClick={() => void save('draft', text)}>
            Save draft
          </Button>
          <Button look="primary" disabled={isBusy} onClick={() => void save('now', text)}>
            Publish now
          </Button>
          <label>
            From, UTC{' '}
            <input type="datetime-local" value={at} onChange={({ target }) => setAt(target.value)} />
          </label>
          <Button disabled={isBusy || at === ''} onClick={() => void save(`${at}:00Z`, text)}>
            Schedule
          </Button>
          {opened.shown === 'editor' && (
            <Button disabled={isBusy} onClick={() => void save('now', null)}>
              Withdraw
            </Button>
          )}
        </p>
        <p role="status">{said}</p>
        {preview && (
          <section aria-label="Preview" className={styles.preview}>
            <h3>{preview.title}</h3>
            <p>{preview.summary}</p>
            <Written blocks={preview.blocks} notes={preview.notes} />
            {preview.ads.map(ad => (
              <p key={ad._id}>
                <img className={styles.ad} src={ad.image} alt={ad.title} /> {ad.start.slice(0, 16)} to{' '}
                {ad.end.slice(0, 16)}, leads to {ad.link}
              </p>
            ))}
          </section>
        )}
        <HistoryList
          versions={opened.versions}
          onRestore={id => void restore(id)}
          onUnschedule={id => void unschedule(id)}
        />
      </div>
    </Card>
  )
}
