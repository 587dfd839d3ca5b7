/** One user could take the memory of the server, or the time of its engine, by files and requests that are small to send. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { zipOf } from '#queries/uploads/convert/xlsx.testing.ts'
import { type Doors, type DoorUser, sharedDoors } from './sharedDoors.ts'

let doors: Doors
let user: DoorUser
before(async () => {
  doors = await sharedDoors()
  user = await doors.newUser()
})

type Answer = { readonly status: number; readonly text: string; readonly code: string | undefined }

async function ask(
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = user.key,
): Promise<Answer> {
  const answer = await fetch(doors.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  const { code } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: string }
  return { status: answer.status, text, code }
}
const upload = (name: string, body: string | Uint8Array<ArrayBuffer>): Promise<Answer> =>
  ask(`/api/v1/uploads/drafts?fileName=${encodeURIComponent(name)}`, body)

describe('a file', () => {
  test('with headers of megabytes gets an answer of kilobytes', async () => {
    const header = Array.from({ length: 40 }, (_, at) => `${at}${'x'.repeat(900_000)}`).join(',')
    const { status, text } = await upload('wide.csv', `${header}\n${'1,'.repeat(39)}1\n`)
    assert.equal(status, 200, text.slice(0, 300))
    assert.ok(text.length < 50_000, `${text.length} characters`)
  })

  test('with a row of a million cells is refused before the row is in memory', async () => {
    const { status, text, code } = await upload('long.csv', `a,b\n${','.repeat(1_000_000)}\n`)
    assert.deepEqual([status, code], [422, 'uploads.too_many_columns'], text)
    assert.match(text, /Row 2 has more than 10,000 cells\./)
  })

  test('of a spreadsheet is refused where it grows without end or points out of the sheet', async () => {
    const cell = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    const parts = {
      'xl/workbook.xml': '<workbook><sheets><sheet r:id="a"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="a" Target="s.xml"/></Relationships>',
      'xl/s.xml': `<worksheet><sheetData>${cell}</sheetData></worksheet>`,
      'xl/sharedStrings.xml': '<sst><si><t>a</t></si></sst>',
    }
    const cases: [what: string, change: Record<string, string>, code: string][] = [
      ['texts', { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(5_000_001)}</sst>` }, 'uploads.unreadable'],
      [
        'styles',
        { 'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(100_001)}</cellXfs></styleSheet>` },
        'uploads.unreadable',
      ],
      ['unpacked', { 'xl/s.xml': ' '.repeat(401 * 2 ** 20) }, 'uploads.too_large'],
      [
        'entities',
        { 'xl/sharedStrings.xml': '<!DOCTYPE a [<!ENTITY b "c">]><sst><si><t>&b;</t></si></sst>' },
        'uploads.unreadable',
      ],
      ['a path', { 'xl/workbook.xml': parts['xl/workbook.xml'].replace('"a"', '"b"') }, 'uploads.unreadable'],
      ['a column', { 'xl/s.xml': parts['xl/s.xml'].replace('A1', '1') }, 'uploads.unreadable'],
      ['a row', { 'xl/s.xml': parts['xl/s.xml'].replace('r="1"', 'r="9e9"') }, 'uploads.unreadable'],
      ['a text', { 'xl/s.xml': parts['xl/s.xml'].replace('>0<', '>9<') }, 'uploads.unreadable'],
    ]
    for (const [what, change, code] of cases) {
      const answer = await upload(`${what}.xlsx`, new Uint8Array(zipOf({ ...parts, ...change })))
      assert.deepEqual([what, answer.status, answer.code], [what, code.endsWith('large') ? 413 : 422, code])
    }
  })

  test('of another format is refused where it is forged', async () => {
    const footer = Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(64, 255), Buffer.from('PAR1')])
    const long = Buffer.concat([Buffer.from('PAR1'), Buffer.from([255, 255, 255, 127]), Buffer.from('PAR1')])
    for (const bytes of [footer, long, Buffer.from('PAR1PAR1'), Buffer.from('PK\u0003\u0004')]) {
      const { status, code } = await upload('forged.parquet', new Uint8Array(bytes))
      assert.deepEqual([status, code], [422, 'uploads.unreadable'])
    }
    assert.equal((await fetch(`${doors.url}/healthz`)).status, 200)
  })

  test('is read beside one more of the same user, and no other', async () => {
    const rows = `a,b\n${'1,2\n'.repeat(100_000)}`
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => upload(`${at}.csv`, rows)))
    const busy = answers.filter(({ code }) => code === 'uploads.busy')
    assert.ok(busy.length >= 4, JSON.stringify(answers.map(({ status, code }) => [status, code])))
    assert.ok(answers.some(({ status }) => status === 200))
  })
})

describe('hashes of the data', () => {
  const blocks = { kind: 'blocks', record: 'blocks', chain: 'bitcoin', from: 0 }
  const hash = (inputs: readonly object[], headers = {}) =>
    ask('/api/v1/provenance/inputs', JSON.stringify({ inputs }), headers)

  test('are given for so many parts in a request', async () => {
    assert.equal((await hash([{ ...blocks, to: 10 }])).status, 200)
    const many = Array.from({ length: 201 }, (_, to) => ({ ...blocks, to }))
    const { status, code } = await hash(many)
    assert.deepEqual([status, code], [400, 'http.parameter'])
  })

  test('are given to so many requests of a caller at a time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        hash(Array.from({ length: 20 }, (_, to) => ({ ...blocks, to: at * 100 + to }))),
      ),
    )
    const codes = answers.map(({ status, code }) => (status === 200 ? 'given' : code))
    assert.ok(codes.includes('given') && codes.includes('sql.too_many_at_once'), codes.join())
  })
})
