/** The first reader of a metric would wait for its whole history. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { btcBlockStats } from '#warehouse/tables/bitcoin.ts'
import { noteHistories, openReadAhead } from './readAhead.ts'
import { openTestSite } from './testing.ts'

test('a first question finds its history read, before and after the data change', async () => {
  await using site = await openTestSite()
  const { version, warehouse, metrics } = site
  const { apiFor, asked } = noteHistories(site.apiFor)
  const api = apiFor({ address: '198.51.100.7' })
  // The histories of one network: what is proved of them holds for each.
  const ofBitcoin = async () =>
    (await api.metrics())
      .filter(({ entities }) => entities.includes('bitcoin'))
      .map(metric => ({ ...metric, entities: ['bitcoin'] }))
  let drawn = 0
  await using ahead = openReadAhead(asker => ({ ...site.apiFor(asker), metrics: ofBitcoin }), version, {
    asked,
    last: [
      async () => {
        drawn += 1
        throw new Error('whoever fails is left to those who ask')
      },
      async () => {
        drawn += 1
      },
    ],
  })
  const dayMetrics = (await metrics.list()).filter(({ entities }) => entities.includes('bitcoin'))

  /** Statements that run while each metric is asked for a range that nobody has asked for. */
  async function statementsOf(from: string): Promise<number> {
    const before = await statementCount()
    for (const { id } of dayMetrics) await api.series({ id, entity: 'bitcoin', from, to: '2011-01-31' })
    return (await statementCount()) - before
  }
  async function statementCount(): Promise<number> {
    const answer = await warehouse.reader.query({
      query: "SELECT toUInt32(value) AS n FROM system.events WHERE event = 'SelectQuery'",
      format: 'JSONEachRow',
    })
    return (await answer.json<{ n: number }>())[0]?.n ?? 0
  }

  await ahead.settled()
  assert.equal(drawn, 2)
  // What stands beside a figure is still asked for, and the data version is looked at every second.
  assert.ok((await statementsOf('2010-12-01')) < dayMetrics.length / 2)

  const answer = await warehouse.reader.query({
    query: 'SELECT * FROM base.btc_block_stats LIMIT 1',
    format: 'JSONEachRow',
  })
  assert.equal((await answer.json()).length, 1)
  await warehouse.writer.command({
    query: `INSERT INTO base.${btcBlockStats.name} SELECT * REPLACE (172 AS height) FROM base.${btcBlockStats.name} LIMIT 1`,
  })
  const read = ahead.settled()
  await version.refresh()
  await read
  assert.ok((await statementsOf('2010-12-02')) < dayMetrics.length / 2)
  assert.equal(drawn, 2, 'what is read last is read once')
})
