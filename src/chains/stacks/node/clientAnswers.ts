import { z } from 'zod'

/** What Stacks nodes and the public API answer, as far as we rely on it; further fields pass through. Sources: stacks-core `docs/rpc/openapi.yaml`, stacks-blockchain-api `docs/openapi.yaml`. */

const hex = z.string().regex(/^0x[0-9a-f]*$/i)
const digits = z.string().regex(/^\d+$/)
const count = z.int().min(0)

export const feeTransfer = z.int().min(0).describe('micro-STX for each byte of a transfer')

export const feeEstimate = z.looseObject({
  estimated_cost_scalar: count,
  estimations: z
    .array(z.looseObject({ fee: count, fee_rate: z.number() }))
    .describe('low, middle and high; `fee` in micro-STX'),
})

export const account = z.looseObject({
  balance: hex.describe('micro-STX that are free'),
  locked: hex.describe('micro-STX that PoX locks'),
  unlock_height: count,
  nonce: count,
})

export const balances = z.strictObject({
  stx: z.strictObject({
    balance: digits.describe('micro-STX, locked ones too'),
    locked: digits.describe('micro-STX'),
  }),
  fungible_tokens: z.record(z.string(), digits).describe('units by contract and asset'),
})

export const oldBalances = z.looseObject({
  stx: z.looseObject({ balance: digits, locked: digits }),
  fungible_tokens: z.record(z.string(), z.looseObject({ balance: digits })),
})

export const newStxBalance = z.looseObject({ balance: digits, locked: digits })
export const newTokenBalances = z.looseObject({
  results: z.array(z.looseObject({ token: z.string(), balance: digits })),
})

export const contractInterface = z.looseObject({
  functions: z.array(
    z.looseObject({
      name: z.string(),
      access: z.enum(['private', 'public', 'read_only']),
      args: z.array(z.looseObject({ name: z.string(), type: z.unknown() })),
      outputs: z.looseObject({ type: z.unknown() }),
    }),
  ),
  variables: z.array(z.looseObject({ name: z.string() })),
  maps: z.array(z.looseObject({ name: z.string() })),
})

export const callResult = z.looseObject({
  okay: z.boolean(),
  result: hex.optional().describe('Clarity value, consensus bytes'),
  cause: z.string().optional().describe('why it was refused'),
})

export const clarityData = z.looseObject({ data: hex.describe('Clarity value, consensus bytes') })

export const info = z.looseObject({
  network_id: count,
  burn_block_height: count,
  stacks_tip_height: count,
  stacks_tip: z.string(),
  server_version: z.string(),
})

const blockTime = z.looseObject({ target_block_time: z.number() })
export const blockTimes = z.looseObject({ mainnet: blockTime, testnet: blockTime }).describe('seconds')

export const pox = z.looseObject({
  contract_id: z.string(),
  current_burnchain_block_height: count,
  reward_cycle_id: count,
  reward_cycle_length: count,
  total_liquid_supply_ustx: z.number(),
})

const page = { limit: count, offset: count }
export const rewards = z.looseObject({
  ...page,
  results: z.array(
    z.looseObject({ burn_block_height: count, reward_recipient: z.string(), reward_amount: digits }),
  ),
})
export const rewardsTotal = z.looseObject({ reward_recipient: z.string(), reward_amount: digits })
export const rewardSlotHolders = z.looseObject({
  ...page,
  total: count,
  results: z.array(z.looseObject({ burn_block_height: count, address: z.string(), slot_index: count })),
})

export const nameInfo = z.looseObject({ address: z.string(), status: z.string().optional() })
export const namesOf = z.looseObject({ names: z.array(z.string()) })
export const zonefile = z.looseObject({ zonefile: z.string().nullable() })

export const rejected = z.looseObject({ error: z.string(), reason: z.string() })
