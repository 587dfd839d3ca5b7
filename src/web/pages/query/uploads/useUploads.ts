import { useCallback, useEffect, useState } from 'react'
import type { Uploads } from '#http/contract.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import type { Catalog } from '../catalog.ts'
import type { UploadClient } from './uploadClient.ts'

/** The reader’s uploads, once they are signed in. */
export function useUploads(client: UploadClient, isSignedIn: boolean) {
  const [uploads, setUploads] = useState<Uploads>()
  const [failure, setFailure] = useState<string>()
  const read = useCallback(() => {
    client.list().then(
      found => {
        setUploads(found)
        setFailure(undefined)
      },
      error => setFailure(wordsOf(error)),
    )
  }, [client])
  useEffect(() => {
    if (isSignedIn) read()
    else setUploads(undefined)
  }, [isSignedIn, read])
  return { uploads, failure, read }
}

/** Uploads as tables, for the search and for completion. */
export const tablesOf = (uploads: Uploads | undefined): Catalog['tables'] =>
  (uploads?.uploads ?? []).map(({ name, fileName, columns }) => ({
    name: `uploads.${name}`,
    about: `Your upload of ${fileName}`,
    columns: columns.map(column => ({ ...column, about: '' })),
  }))
