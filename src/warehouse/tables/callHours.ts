import { layerName, table, text, time, u32, u64, u256 } from '#kernel/table.ts'

const chain = layerName('the chain, as its file in the catalog is named', { others: ['stacks'] })
const hour = time('beginning of the hour, UTC, by block time')
const run = u64(
  'the refresh that computed the row; rows of a run that is not the newest one of their hour do not exist for readers',
)
const contract = text(
  'the contract, as it is shown: hexadecimal with 0x on EVM layers, a principal on Stacks',
)

/** By caller, so that distinct callers of any span of hours can be counted. */
export const callHours = table('call_hours', {
  doc: 'One row per hour, function of a contract and caller: calls by users’ transactions, over the newest fifteen days of each chain that are held.',
  columns: {
    run,
    chain,
    hour,
    contract,
    method: text('function on Stacks; on EVM layers its selector, hexadecimal with 0x'),
    caller: u64('sipHash64 of who signed the call, as it is shown'),
    callCount: u32('calls'),
    failedCallCount: u32('of these, those that changed nothing but nonce and fee'),
    fee: u256('their fees, in the smallest unit of the chain’s coin, as far as they are known'),
  },
  orderBy: ['chain', 'hour', 'contract', 'method', 'caller'],
})

export const nestedHours = table('nested_hours', {
  doc: 'One row per hour and contract that took part in calls of other contracts, over the newest fifteen days of each chain that are held.',
  columns: {
    run,
    chain,
    hour,
    contract,
    callCount: u32(
      'calls of another contract in which this one wrote an event, moved a token of its own or sent something away',
    ),
  },
  orderBy: ['chain', 'hour', 'contract'],
})

export const callHourRuns = table('call_hour_runs', {
  doc: 'One row per hour of a chain that a refresh has recomputed.',
  columns: {
    chain,
    hour,
    signature: u64(
      'fingerprint of the blocks that the hour was computed from and of the statements that did',
    ),
    run,
    computedAt: time('when, UTC'),
  },
  orderBy: ['chain', 'hour', 'run'],
})

/** What `refreshCallHours` fills. */
export const CALL_HOUR_TABLES = [callHours, nestedHours, callHourRuns] as const
