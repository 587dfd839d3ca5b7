/** An operator could not check or run a source by hand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, openPublisher } from '#ingest/sources/testing.ts'
import { runAssay, temporaryHome } from './runAssay.ts'

const days = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    date: Date.parse('2026-01-01') / 1000 + i * 86_400,
    tvl: 1e8 + i,
  }))

test('a source is checked without keeping anything, run by hand, and listed with its state', async () => {
  await using home = await temporaryHome()
  await using mirror = await openPublisher()
  const env = {
    ASSAY_HOME: home.path,
    LOG_LEVEL: 'error',
    SOURCES: 'defillama.tvl',
    SOURCES_MIRROR_URL: mirror.origin,
  }
  const asked: string[] = []
  mirror.answer = (request, response) => {
    asked.push(request.url ?? '')
    json(days(3))(request, response)
  }
  const check = await runAssay(['sources', 'check', 'defillama.tvl', 'stacks'], env)
  assert.equal(check.code, 0, check.err)
  const lines = check.out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ metric, entity, day, value }) => [metric, entity, day, value]),
    [
      ['tvl.total', 'stacks', '2026-01-01', 1e8],
      ['tvl.total', 'stacks', '2026-01-02', 1e8 + 1],
      ['tvl.total', 'stacks', '2026-01-03', 1e8 + 2],
    ],
  )
  assert.deepEqual(asked, ['/api.llama.fi/v2/historicalChainTvl/Stacks'])

  const run = await runAssay(['sources', 'run', 'defillama.tvl', 'stacks'], env)
  assert.equal(run.code, 0, run.err)
  assert.match(run.out, /defillama\.tvl stacks: figures, 3 figures stored/)

  mirror.answer = (_, response) => void response.end('<html>Just a moment')
  const refused = await runAssay(['sources', 'check', 'defillama.tvl', 'stacks'], env)
  assert.equal(refused.code, 1)
  assert.match(
    refused.err,
    /defillama\.tvl stacks: the response is refused\. The answer is a web page, not JSON\./,
  )

  const list = await runAssay(['sources'], env)
  assert.equal(list.code, 0, list.err)
  assert.match(list.out, /^No process is polling on schedule\.$/m)
  assert.match(list.out, /^ {2}stacks +success 2\d{3}-.* figures$/m)

  const unknown = await runAssay(['sources', 'check', 'defillama.tlv'], env)
  assert.equal(unknown.code, 2)
  assert.match(unknown.err, /No polled source defillama\.tlv.*defillama\.tvl/)
})
