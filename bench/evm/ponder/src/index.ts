import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'

ponder.on('Every:block', async ({ event: { block }, context }) => {
  await context.db.insert(schema.block).values({
    height: Number(block.number),
    hash: block.hash,
    timeS: Number(block.timestamp),
    gasUsed: block.gasUsed,
  })
})

ponder.on('Token:Transfer', async ({ event, context }) => {
  await context.db.insert(schema.transfer).values({
    id: event.id,
    height: Number(event.block.number),
    logIndex: event.log.logIndex,
    sender: event.args.from,
    recipient: event.args.to,
    amount: event.args.value,
    txHash: event.transaction.hash,
  })
})
