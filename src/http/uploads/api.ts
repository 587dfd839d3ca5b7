import { demandPerson } from '#accounts/index.ts'
import type { Person } from '#kernel/people.ts'
import type { ColumnChange, Draft, QueryTool, Upload, UploadFile, UploadKeep } from '#queries/index.ts'
import { ApiError, asking, problemOf } from '../apiError.ts'
import type { Upload as UploadAnswer, UploadDraft, Uploads as UploadList } from '../contract.ts'
import { ownerWith, type Who } from '../queries/callers.ts'

export type UploadsApi = ReturnType<typeof createUploadsApi>

/** Whose uploads are asked for: a signed-in user, or a key of theirs with the scope. */
const ownerOf = (person: Person | undefined, scope: 'read:own' | 'write:own'): string =>
  ownerWith(demandPerson(person), scope, 'uploads')

/** Uploading needs the feature. Listing and deleting do not: what is theirs stays within reach. */
function writerOf({ person, features }: Who): string {
  const owner = ownerOf(person, 'write:own')
  if (features.query !== true)
    throw new ApiError(problemOf('uploads.premium', 'Uploads need Premium.', { hint: 'See /pricing.' }))
  return owner
}

/** Uploads as the API answers them. Throws ApiError only. */
export function createUploadsApi({ uploads, drafts }: QueryTool) {
  return {
    list: ({ person }: Who): Promise<UploadList> =>
      asking(async () => ({
        uploads: (await uploads.list(ownerOf(person, 'read:own'))).map(uploadOf),
        limits: { ...uploads.limits },
      })),
    addDraft: (
      file: UploadFile,
      { allowSlowBody, ...who }: Who & { readonly allowSlowBody: () => void },
      signal: AbortSignal,
    ): Promise<UploadDraft> =>
      asking(async () => {
        const owner = writerOf(who)
        allowSlowBody()
        return draftOf(await drafts.add(owner, file, signal))
      }),
    draft: (id: string, who: Who): Promise<UploadDraft> =>
      asking(() => draftOf(drafts.get(writerOf(who), id))),
    changeDraft: (
      id: string,
      columns: readonly ColumnChange[],
      who: Who,
      signal: AbortSignal,
    ): Promise<UploadDraft> =>
      asking(async () => draftOf(await drafts.change(writerOf(who), id, columns, signal))),
    removeDraft: (id: string, who: Who): Promise<void> => asking(() => drafts.remove(writerOf(who), id)),
    keep: (keep: UploadKeep, who: Who, signal: AbortSignal): Promise<UploadAnswer> =>
      asking(async () => uploadOf(await uploads.keep(writerOf(who), keep, signal))),
    remove: (name: string, { person }: Who): Promise<void> =>
      asking(() => uploads.remove(ownerOf(person, 'write:own'), name)),
  }
}

const uploadOf = ({ columns, createdAt, changedAt, ...upload }: Upload): UploadAnswer => ({
  ...upload,
  columns: columns.map(column => ({ ...column })),
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
})

const draftOf = ({ columns, sample, ...draft }: Draft): UploadDraft => ({
  ...draft,
  columns: columns.map(({ doubt, ...column }) => ({
    ...column,
    doubt: doubt && { ...doubt, rows: doubt.rows.map(row => ({ ...row })) },
  })),
  sample: sample.map(row => [...row]),
})
