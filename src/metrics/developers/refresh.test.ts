/** Developer counts would stay outdated after their rules change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingFiles } from './refresh.ts'

test('what counts is read from the files by whose change all is counted anew', () => {
  const files = countingFiles()
  assert.ok(files.some(text => text.includes('export async function countDevelopers')))
  for (const text of files) {
    const outside = [...text.matchAll(/^import (?!type)[^'"]*? from '(\.\.[^']*)'/gm)].map(([, path]) => path)
    // An error counts nothing.
    assert.deepEqual(
      outside.filter(path => path !== '../../errors.ts'),
      [],
    )
  }
})
