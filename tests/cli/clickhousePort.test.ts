/** An operator could not open the port for ClickHouse clients, or not see why it does not open. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from '#kernel/freePort.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { runAssay, spawnAssay, temporaryHome } from './runAssay.ts'

test('serve opens the port beside the website, and closes it', async () => {
  await using home = await temporaryHome()
  const port = await freePort()
  const child = spawnAssay(['serve'], {
    ASSAY_HOME: home.path,
    PORT: String(await freePort()),
    CLICKHOUSE_PORT: String(port),
    LOG_LEVEL: 'error',
  })
  child.stdout.resume()
  child.stderr.resume()
  const closed = once(child, 'close')
  const url = `http://localhost:${port}`
  const ping = () =>
    fetch(`${url}/ping`).then(
      answer => answer.text(),
      () => undefined,
    )
  assert.equal(await until('the port answers', ping), 'Ok.\n')
  const stranger = await fetch(`${url}/?query=SELECT%201`)
  assert.equal(stranger.headers.get('x-clickhouse-exception-code'), '516')
  await stranger.arrayBuffer()
  child.kill('SIGTERM')
  await closed
  assert.equal(await ping(), undefined)
})

test('a port that is taken is told by its variable', async () => {
  await using home = await temporaryHome()
  const blocker = createServer().listen(0, 'localhost')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const { code, err } = await runAssay(['serve'], {
    ASSAY_HOME: home.path,
    PORT: String(await freePort()),
    CLICKHOUSE_PORT: String(port),
    LOG_LEVEL: 'error',
  })
  blocker.close()
  assert.equal(code, 1)
  assert.match(err, new RegExp(`Port ${port} is taken.*Set CLICKHOUSE_PORT`))
})
