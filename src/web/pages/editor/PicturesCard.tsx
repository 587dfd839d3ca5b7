import { type ChangeEvent, useEffect, useState } from 'react'
import type { PictureList, Problem } from '#http/contract.ts'
import { apiHref } from '../../apiHref.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import styles from './Editor.module.css'

/** Pictures that texts and advertisements may show. */
export function PicturesCard({ people }: { people: People }) {
  const [items, setItems] = useState<PictureList['items']>([])
  const [said, setSaid] = useState('')
  useEffect(() => {
    const gone = new AbortController()
    askPerson(people, '/api/v1/cms/pictures', { signal: gone.signal }).then(
      answer => setItems((answer as PictureList).items),
      error => {
        if (!gone.signal.aborted) setSaid(wordsOf(error))
      },
    )
    return () => gone.abort()
  }, [people])

  async function handleFile({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    target.value = ''
    if (file === undefined) return
    try {
      const answer = await fetch(
        apiHref(`/api/v1/cms/pictures?title=${encodeURIComponent(file.name.slice(0, 120))}`),
        {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream', ...(await people.headers()) },
          body: file,
        },
      )
      const body: unknown = await answer.json()
      if (!answer.ok) {
        setSaid((body as Problem).detail)
        return
      }
      const picture = body as PictureList['items'][number]
      setItems(all => [picture, ...all.filter(({ name }) => name !== picture.name)])
      setSaid('Image saved.')
    } catch (error) {
      setSaid(wordsOf(error))
    }
  }

  return (
    <Card
      title="Pictures"
      sub="PNG, JPEG or WebP of at most 1 MiB; advertisements are 20 times as wide as high"
    >
      <div className={styles.editor}>
        <label className={styles.field}>
          Add a picture
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={event => void handleFile(event)}
          />
        </label>
        <p role="status">{said}</p>
        <ul className={styles.list}>
          {items.map(({ name, title, width, height, url }) => (
            <li key={name} className={styles.row}>
              <img className={styles.thumb} src={url} alt="" loading="lazy" />
              <span>
                {title}, {width} × {height}
              </span>
              <CopyText text={`![${title}](${url})`} what="what a text writes" />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
