/** Assistants would be sent to addresses that do not exist. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadPages } from '#http/pages/loadPages.ts'
import { openTestSite } from '#http/testing.ts'

test('every address of llms.txt answers', async () => {
  const pages = await loadPages(fileURLToPath(new URL('../build', import.meta.url)))
  await using site = await openTestSite({ pages })
  const { body } = await site.app.inject({ url: '/llms.txt' })
  const paths = [...body.matchAll(/\]\(https?:\/\/[^/)]+([^)]*)\)/g)].map(([, path = '']) => path)
  assert.ok(paths.length >= 8)
  for (const path of paths) {
    const { statusCode } = await site.app.inject({ url: path })
    // MCP is asked by POST.
    assert.ok(statusCode === 200 || (path === '/mcp' && statusCode === 405), `${path} ${statusCode}`)
  }
})
