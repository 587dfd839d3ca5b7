import { useState } from 'react'
import type { SavedQuery } from '#http/contract.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button } from '../../../ui/Button.tsx'
import type { QueryClient } from '../queryClient.ts'
import { FormDialog } from './QueryDialog.tsx'

type Props = {
  query: SavedQuery
  client: QueryClient
  onSaved: (saved: SavedQuery) => void
  onDeleted: () => void
  onClose: () => void
}

/** Name, description and folder of a saved query. Its text stays as it was saved last. */
export function EditDialog({ query, client, onSaved, onDeleted, onClose }: Props) {
  const [failure, setFailure] = useState<string>()
  const [isSure, setSure] = useState(false)
  const attempt = async (change: () => Promise<void>) => {
    try {
      await change()
    } catch (error) {
      setFailure(wordsOf(error))
    }
  }
  const handleSubmit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const { sql, parameters, chart, visibility, team, version } = query
    return attempt(async () =>
      onSaved(
        await client.save(query.id, {
          name: text('name'),
          about: text('about'),
          folder: text('folder'),
          sql,
          parameters,
          chart,
          visibility,
          ...(team && { team: team.id }),
          basedOn: version,
        }),
      ),
    )
  }
  const handleDelete = () => {
    if (!isSure) {
      setSure(true)
      return
    }
    void attempt(async () => {
      await client.remove(query.id)
      onDeleted()
    })
  }
  return (
    <FormDialog
      title="Edit details"
      submit="Save"
      failure={failure}
      buttons={
        <Button small onClick={handleDelete}>
          {isSure ? 'Delete with all versions' : 'Delete'}
        </Button>
      }
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <label>
        Name
        <input name="name" required maxLength={200} defaultValue={query.name} />
      </label>
      <label>
        Description
        <textarea name="about" rows={3} maxLength={5000} defaultValue={query.about} />
      </label>
      <label>
        Folder
        <input name="folder" maxLength={100} placeholder="Optional" defaultValue={query.folder} />
      </label>
    </FormDialog>
  )
}
