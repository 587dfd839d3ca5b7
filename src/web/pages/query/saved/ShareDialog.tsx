import { useState } from 'react'
import { Link } from 'react-router'
import type { SavedQuery } from '#http/contract.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { copyToClipboard } from '../../../ui/copyToClipboard.ts'
import type { QueryClient } from '../queryClient.ts'
import { FormDialog } from './QueryDialog.tsx'
import styles from './Saved.module.css'
import { choiceOf, readersOf, VisibilityField } from './VisibilityField.tsx'

type Props = {
  query: SavedQuery
  client: QueryClient
  onShared: (saved: SavedQuery, said: string) => void
  onClose: () => void
}

/** Chooses who can open a query, and copies its link. The text stays as it was saved last. */
export function ShareDialog({ query, client, onShared, onClose }: Props) {
  const [failure, setFailure] = useState<string>()
  const handleSubmit = async (choice: string) => {
    try {
      const { name, about, folder, sql, parameters, chart } = query
      const text = { name, about, folder, sql, parameters, chart }
      const saved =
        choice === choiceOf(query)
          ? query
          : await client.save(query.id, { ...text, ...readersOf(choice), basedOn: query.version })
      if (saved.visibility === 'private') {
        onShared(saved, 'Only you can open it.')
        return
      }
      await copyToClipboard(`${window.location.origin}/Query?id=${saved.id}`)
      onShared(
        saved,
        saved.team === null
          ? 'Anyone with the link can open it. Link copied.'
          : `Members of ${saved.team.name} can open it. Link copied.`,
      )
    } catch (error) {
      setFailure(wordsOf(error))
    }
  }
  return (
    <FormDialog
      title={`Share ${query.name}`}
      submit="Share"
      failure={failure}
      onSubmit={async fields => handleSubmit(String(fields.get('visibility')))}
      onClose={onClose}
    >
      <VisibilityField client={client} chosen={query.visibility === 'private' ? 'link' : choiceOf(query)} />
      <p className={styles.note}>
        Team editors can change the query. Everyone else can read and run it.{' '}
        <Link to="/account">Manage teams</Link>
      </p>
    </FormDialog>
  )
}
