/** A broken example query would reach readers, or stop the server without saying which file is wrong. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ContentError } from './errors.ts'
import { parseQueryExample } from './queryExamples.ts'
import { readContent } from './readContent.ts'

const EXAMPLE = `-- title: Transactions of a block
-- about: One block. In order: no gaps.
-- topic: Bitcoin transactions and coins
-- parameter height: 170
-- parameter name:

-- a comment of the query
SELECT txid
FROM btc_txs
WHERE height = {height:UInt32} AND 'x' != {name:String}
`

describe('example queries', () => {
  test('the head becomes data, and the query keeps its own comments', () => {
    assert.deepEqual(parseQueryExample(EXAMPLE, 'block-transactions'), {
      id: 'block-transactions',
      title: 'Transactions of a block',
      about: 'One block. In order: no gaps.',
      topic: 'Bitcoin transactions and coins',
      sql: EXAMPLE.slice(EXAMPLE.indexOf('-- a comment')).trim(),
      parameters: { height: '170', name: '' },
    })
  })

  test('faults name the file and the reason', () => {
    const faults: [text: string, reason: RegExp][] = [
      [EXAMPLE.replace('-- topic: Bitcoin transactions and coins\n', ''), /topic is missing from the head/],
      [
        EXAMPLE.replace('transactions and coins', 'dreams'),
        /topic must be one of: Bitcoin blocks and fees, /,
      ],
      [EXAMPLE.replace('-- about: One block. In order: no gaps.', '-- about:'), /line 2: about is empty/],
      [EXAMPLE.replace('-- about', '-- title'), /line 2: title is in the head twice/],
      [EXAMPLE.replace('-- about', '-- author'), /line 2: the head has lines such as/],
      [EXAMPLE.replace('-- parameter height: 170\n', ''), /parameter height has no default/],
      [EXAMPLE.replace('{height:UInt32}', '170'), /does not use the parameter height/],
      [EXAMPLE.replaceAll('\n\n', '\n'), /line 6: the head has lines such as/],
      [EXAMPLE.slice(0, EXAMPLE.indexOf('\n\n') + 2), /the query is missing/],
      ['-- title: x', /an empty line must separate the head from the query/],
    ]
    for (const [text, reason] of faults)
      assert.throws(
        () => parseQueryExample(text, 'x'),
        (thrown: unknown) =>
          thrown instanceof ContentError &&
          thrown.code === 'content.invalid' &&
          thrown.message.startsWith('content/queries/x.sql') &&
          reason.test(thrown.message),
        String(reason),
      )
    assert.throws(() => parseQueryExample(EXAMPLE, 'Block_170'), /lower-case words joined by hyphens/)
  })

  test('a folder gives its examples by topic, then by name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-examples-'))
    try {
      await mkdir(join(folder, 'queries'))
      await writeFile(join(folder, 'queries/b.sql'), EXAMPLE)
      await writeFile(join(folder, 'queries/a.sql'), EXAMPLE)
      const first = EXAMPLE.replace('transactions and coins', 'blocks and fees')
      await writeFile(join(folder, 'queries/c.sql'), first)
      await writeFile(join(folder, 'queries/notes.txt'), 'not an example')
      const { queryExamples } = await readContent(folder)
      assert.deepEqual(
        queryExamples.map(({ id }) => id),
        ['c', 'a', 'b'],
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
