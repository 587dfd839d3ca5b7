import { z } from 'zod'
import { type AnyRoute, done, json, route } from '../route.ts'
import type { UploadsApi } from './api.ts'
import {
  draftChange,
  draftId,
  draftRequest,
  keepRequest,
  upload,
  uploadDraft,
  uploadList,
  uploadName,
} from './schema.ts'

const shared = { isUsersOwn: true, kept: 'never', who: 'anyone' } as const

/** Private tables made of files. A file is read first (a draft), and kept once its columns are right. */
export const uploadRoutes = (api: UploadsApi): AnyRoute[] => [
  route({
    ...shared,
    method: 'GET',
    path: '/api/v1/uploads',
    id: 'listUploads',
    summary: 'Uploads of the caller, and the limits for uploads',
    answer: { schema: uploadList },
    problems: [401, 403],
    handle: async who => json(await api.list(who)),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v1/uploads/drafts',
    id: 'readUploadFile',
    summary:
      'Reads a file (CSV, TSV, XLSX or Parquet) that is sent as the body, and infers the types of its columns',
    query: draftRequest,
    takesStream: true,
    answer: { schema: uploadDraft },
    problems: [401, 403, 408, 413, 422, 429, 507],
    handle: async ({ query: { fileName, hasHeader }, stream, allowSlowBody, headers, signal, ...who }) =>
      json(
        await api.addDraft(
          {
            fileName,
            hasHeader: hasHeader === 'true',
            body: stream,
            announcedBytes: Number(headers['content-length'] ?? 0),
          },
          { ...who, allowSlowBody },
          signal,
        ),
      ),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v1/uploads/drafts/:id',
    id: 'readUploadDraft',
    summary: 'A file that was read but not kept',
    params: draftId,
    answer: { schema: uploadDraft },
    problems: [401, 403, 404],
    handle: async ({ params: { id }, ...who }) => json(await api.draft(id, who)),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v1/uploads/drafts/:id',
    id: 'changeUploadDraft',
    summary: 'Changes names and types of the columns, and returns the values that do not fit them',
    params: draftId,
    body: draftChange,
    answer: { schema: uploadDraft },
    problems: [401, 403, 404, 413, 415, 422, 429],
    handle: async ({ params: { id }, body: { columns }, signal, ...who }) =>
      json(await api.changeDraft(id, columns, who, signal)),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v1/uploads/drafts/:id',
    id: 'deleteUploadDraft',
    summary: 'Removes a file that was read but not kept',
    params: draftId,
    answer: { schema: z.null(), isEmpty: true },
    problems: [401, 403, 404, 429],
    handle: async ({ params: { id }, ...who }) => {
      await api.removeDraft(id, who)
      return done()
    },
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v1/uploads',
    id: 'keepUpload',
    summary: 'Keeps a file that was read as a private table, replaces one by it, or appends it to one',
    body: keepRequest,
    answer: { schema: upload },
    problems: [401, 403, 404, 409, 413, 415, 422, 429, 507],
    handle: async ({ body, signal, ...who }) => json(await api.keep(body, who, signal)),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v1/uploads/:name',
    id: 'deleteUpload',
    summary: 'Deletes an upload',
    params: uploadName,
    answer: { schema: z.null(), isEmpty: true },
    problems: [401, 403, 404, 429],
    handle: async ({ params: { name }, ...who }) => {
      await api.remove(name, who)
      return done()
    },
  }),
]
