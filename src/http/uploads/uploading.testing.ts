import assert from 'node:assert/strict'
import type { Problem, QueryRun, ResultPage, Upload, UploadDraft } from '../contract.ts'
import { ask, type Headers, signedIn, testSite } from '../queries/sharedSaved.testing.ts'

/** Two users who may upload. */
export const owner: Headers = await signedIn('owner@uploads.example')
export const other: Headers = await signedIn('other@uploads.example')

export const read = (
  text: string | Buffer,
  more: { fileName?: string; headers?: Headers; hasHeader?: boolean } = {},
) =>
  ask<UploadDraft & Problem>(
    'POST',
    `/api/v1/uploads/drafts?fileName=${encodeURIComponent(more.fileName ?? 'file.csv')}&hasHeader=${more.hasHeader ?? true}`,
    { 'content-type': 'text/csv', ...(more.headers ?? owner) },
    text,
  )
export const keep = (draft: string, name: string, more: object = {}, headers = owner) =>
  ask<Upload & Problem>('POST', '/api/v1/uploads', headers, { draft, name, ...more })

export async function upload(name: string, file: string | Buffer, more: object = {}, headers = owner) {
  const { status, body, text } = await read(file, { headers })
  assert.equal(status, 200, text)
  const kept = await keep(body.id, name, more, headers)
  assert.equal(kept.status, 200, kept.text)
  return kept.body
}

export async function run(sql: string, headers: Headers = owner): Promise<QueryRun> {
  const { body } = await ask<QueryRun>('POST', '/api/v1/queries/runs', headers, { sql, waitSeconds: 30 })
  return body
}

export async function rows(sql: string, headers: Headers = owner): Promise<ResultPage['rows']> {
  const { result, problem } = await run(sql, headers)
  assert.ok(result, JSON.stringify(problem))
  return (await ask<ResultPage>('GET', `/api/v1/queries/results/${result.hash}?limit=1000`, headers)).body
    .rows
}

/** Existing upload databases. */
export const databases = async (): Promise<string[]> => {
  const result = await testSite.warehouse.reader.query({
    query:
      "SELECT name FROM system.databases WHERE name LIKE 'uploads!_%' ESCAPE '!' OR startsWith(name, 'uploads_') ORDER BY name",
    format: 'JSONEachRow',
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}
