import type { Upload, UploadDraft, Uploads } from '#http/contract.ts'
import { ApiRefusal } from '../../../api.ts'
import { apiHref } from '../../../apiHref.ts'
import { askPerson } from '../../../people/askPerson.ts'

const UPLOADS = '/api/v1/uploads'

export type KeepRequest = {
  readonly draft: string
  readonly name: string
  readonly mode: 'create' | 'replace' | 'append'
  readonly misfits: 'refuse' | 'empty'
}
export type ColumnChange = Pick<UploadDraft['columns'][number], 'name' | 'type' | 'format'>

/** Uploads of the API, as asked by whoever is signed in. Everything throws `ApiRefusal`. */
export function createUploadClient(headers: () => Promise<Readonly<Record<string, string>>>) {
  const person = { headers }
  return {
    list: () => askPerson(person, UPLOADS) as Promise<Uploads>,
    remove: (name: string) =>
      askPerson(person, `${UPLOADS}/${encodeURIComponent(name)}`, { method: 'DELETE' }),
    async read(file: File, hasHeader: boolean, signal: AbortSignal): Promise<UploadDraft> {
      const query = new URLSearchParams({ fileName: file.name.slice(-200), hasHeader: String(hasHeader) })
      const answer = await fetch(apiHref(`${UPLOADS}/drafts?${query}`), {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/octet-stream',
          ...(await headers()),
        },
        body: file,
        signal,
      })
      const found: unknown = await answer.json()
      if (!answer.ok) throw new ApiRefusal(found as ApiRefusal['problem'])
      return found as UploadDraft
    },
    change: (id: string, columns: readonly ColumnChange[]) =>
      askPerson(person, `${UPLOADS}/drafts/${encodeURIComponent(id)}`, {
        method: 'PUT',
        body: { columns: columns.map(({ name, type, format }) => ({ name, type, format })) },
      }) as Promise<UploadDraft>,
    discard: (id: string) =>
      askPerson(person, `${UPLOADS}/drafts/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    keep: (request: KeepRequest) =>
      askPerson(person, UPLOADS, { method: 'POST', body: request }) as Promise<Upload>,
  }
}

export type UploadClient = ReturnType<typeof createUploadClient>
