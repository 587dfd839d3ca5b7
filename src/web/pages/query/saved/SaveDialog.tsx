import { useState } from 'react'
import type { SavedQuery } from '#http/contract.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import type { QueryClient } from '../queryClient.ts'
import type { QueryTab } from '../tabs.ts'
import { changeOf } from './changeOf.ts'
import { FormDialog } from './QueryDialog.tsx'
import { readersOf, VisibilityField } from './VisibilityField.tsx'

type Props = {
  tab: QueryTab
  /** The saved query that is copied. */
  from: SavedQuery | undefined
  client: QueryClient
  onSaved: (saved: SavedQuery) => void
  onClose: () => void
}

/** Saves the query of a tab as a new one. */
export function SaveDialog({ tab, from, client, onSaved, onClose }: Props) {
  const [failure, setFailure] = useState<string>()
  const handleSubmit = async (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    try {
      const kept = { about: text('about'), folder: text('folder'), ...readersOf(text('visibility')) }
      const change = { ...changeOf(kept, tab), ...kept, name: text('name') }
      onSaved(await client.create({ ...change, ...(from !== undefined && { forkOf: from.id }) }))
    } catch (error) {
      setFailure(wordsOf(error))
    }
  }
  return (
    <FormDialog
      title={from === undefined ? 'Save query' : 'Save a copy'}
      submit="Save"
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
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
      <VisibilityField client={client} chosen="private" />
    </FormDialog>
  )
}
