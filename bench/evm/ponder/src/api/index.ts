import { db } from 'ponder:api'
import schema from 'ponder:schema'
import { Hono } from 'hono'
import { asc } from 'ponder'

const app = new Hono()

/** Every row as a line of text, in the order of the chain: what the bench compares. */
app.get('/lines', async c => {
  const blocks = await db.select().from(schema.block).orderBy(asc(schema.block.height))
  const transfers = await db
    .select()
    .from(schema.transfer)
    .orderBy(asc(schema.transfer.height), asc(schema.transfer.logIndex))
  return c.json([
    ...blocks.map(({ height, hash, timeS, gasUsed }) => `${height} ${hash} ${timeS} ${gasUsed}`),
    ...transfers.map(
      ({ height, logIndex, sender, recipient, amount, txHash }) =>
        `${height} ${logIndex} ${sender} ${recipient} ${amount} ${txHash}`,
    ),
  ])
})

export default app
