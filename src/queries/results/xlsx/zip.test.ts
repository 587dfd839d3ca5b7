/** A workbook would not open, or would hold other rows than its result. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workbook } from './workbook.ts'
import { readZip } from './zip.testing.ts'
import { type ZipEntry, zip } from './zip.ts'

const bytesOf = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(chunks))

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

test('an archive holds its files whole, whatever the size of their pieces', async () => {
  const long = Array.from({ length: 200 }, (_, at) => `${at} `.repeat(5_000))
  const entries: ZipEntry[] = [
    { name: 'a/é.txt', content: 'text' },
    { name: 'empty', content: '' },
    { name: 'long', content: chunks(...long) },
  ]
  const found = readZip(await bytesOf(zip(entries)))
  assert.deepEqual([...found.keys()], ['a/é.txt', 'empty', 'long'])
  assert.equal(found.get('a/é.txt'), 'text')
  assert.equal(found.get('empty'), '')
  assert.equal(found.get('long'), long.join(''))
})

test('a source that fails ends the archive with its error', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('a')
    throw new Error('the disk went')
  }
  await assert.rejects(bytesOf(zip([{ name: 'a', content: broken() }])), /the disk went/)
})

test('names of columns and what a workbook rests on are texts', async () => {
  const rows = chunks('<row><c><v>1</v></c></row>')
  const made = workbook({ columns: ['=1+1', 'a<b>&"'], rows, about: [['SQL', 'SELECT \u0001 <']] })
  const found = readZip(await bytesOf(made))
  const sheet = found.get('xl/worksheets/sheet1.xml') ?? ''
  assert.ok(sheet.includes('<c s="1" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>'))
  assert.ok(sheet.includes('>a&lt;b&gt;&amp;&quot;</t>'))
  assert.ok(sheet.endsWith('<row><c><v>1</v></c></row></sheetData></worksheet>'))
  assert.ok(found.get('xl/worksheets/sheet2.xml')?.includes('>SELECT \uFFFD &lt;</t>'))
})
