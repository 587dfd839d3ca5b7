import { useCallback, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { TextEntries } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { usePeople } from '../../people/usePeople.ts'
import { PageError } from '../../shell/PageError.tsx'
import { Button } from '../../ui/Button.tsx'
import { AdCountsCard } from './AdCountsCard.tsx'
import styles from './Editor.module.css'
import { NewText } from './NewText.tsx'
import { PicturesCard } from './PicturesCard.tsx'
import { TextEditor } from './TextEditor.tsx'

export const meta = () => [{ title: 'Editor · Assay' }, { name: 'robots', content: 'noindex' }]

const SHOWN = { file: 'from its file', editor: 'from the editor', nothing: 'not shown' } as const

/** Where operators write texts and advertisements. Drawn in the browser; the server decides who may. */
export default function EditorPage() {
  const { loading, queryToken, people } = usePeople()
  return (
    <div className={styles.page}>
      <HeadingBlock
        title="Editor"
        question="Texts, pictures and advertisements of this site, for its operators."
      />
      {people === undefined || loading ? (
        <p role="status">Looking who is signed in here …</p>
      ) : queryToken === null ? (
        <p className={styles.row}>
          <Button look="primary" onClick={() => void people.signIn('/editor')}>
            Sign In
          </Button>
        </p>
      ) : (
        <Editor key={queryToken} people={people} />
      )}
    </div>
  )
}

function Editor({ people }: { people: People }) {
  const [search] = useSearchParams()
  const [items, setItems] = useState<TextEntries['items']>()
  const [failure, setFailure] = useState<string>()
  const read = useCallback(() => {
    askPerson(people, '/api/v1/cms/texts').then(
      answer => {
        setItems((answer as TextEntries).items)
        setFailure(undefined)
      },
      error => setFailure(wordsOf(error)),
    )
  }, [people])
  useEffect(read, [read])
  const chosen = /^(page|guide|report|gated|ads)\/([A-Za-z0-9-]{1,80})$/.exec(search.get('text') ?? '')
  if (failure !== undefined) return <p role="alert">{failure}</p>
  if (items === undefined) return <p role="status">Reading what there is …</p>
  return (
    <>
      {chosen !== null && (
        <TextEditor
          key={chosen[0]}
          people={people}
          kind={chosen[1] ?? ''}
          name={chosen[2] ?? ''}
          isNew={!items.some(({ kind, key }) => `${kind}/${key}` === chosen[0])}
          onSaved={read}
        />
      )}
      <Card title="Texts">
        <ul className={`${styles.list} ${styles.texts}`}>
          {items.map(({ kind, key, shown, newest }) => (
            <li key={`${kind}/${key}`}>
              <Link to={`/editor?text=${kind}/${key}`}>
                {kind}/{key}
              </Link>{' '}
              <span className={styles.quiet}>
                {SHOWN[shown]}
                {newest?.publish === null && ', with a draft'}
                {newest !== null &&
                  newest.publish !== null &&
                  new Date(newest.publish) > new Date() &&
                  `, another from ${newest.publish.slice(0, 16).replace('T', ' ')} UTC on`}
              </span>
            </li>
          ))}
        </ul>
        <NewText />
      </Card>
      <PicturesCard people={people} />
      <AdCountsCard people={people} />
    </>
  )
}

export const ErrorBoundary = PageError
