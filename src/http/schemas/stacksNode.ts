import { z } from 'zod'
import { stacksAnswers } from '#chains/stacks/node/index.ts'
import { contractId, stacksAddressId, stacksNameId } from './stacks.ts'

/** What a Stacks node is asked through our API. Answers are the node's own, as far as `stacksAnswers` holds them to a form. */
export const answers = stacksAnswers

const hex = (mostBytes: number) =>
  z
    .string()
    .regex(/^(?:0x)?(?:[0-9a-f]{2})+$/i, 'must be bytes in hex')
    .max(2 * mostBytes + 2)

const clarityName = z.string().regex(/^[a-zA-Z][a-zA-Z0-9\-_!?+<>=/*]{0,126}$/, 'must be a name of Clarity')
const clarityHex = hex(1024).describe('Clarity value, consensus bytes in hex')

export const principal = z.strictObject({ principal: z.union([stacksAddressId, contractId]) })
/** Contracts have no names of their own. */
export const owner = z.strictObject({ principal: stacksAddressId })
export const contract = z.strictObject({ contract: contractId })
export const variable = z.strictObject({ contract: contractId, variable: clarityName })
export const map = z.strictObject({ contract: contractId, map: clarityName })
export const named = z.strictObject({ name: stacksNameId })
export const bitcoinAddress = z.strictObject({ address: z.string().regex(/^[a-zA-Z0-9]{14,90}$/) })

export const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(250).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
})

export const callBody = z.strictObject({
  functionName: clarityName,
  sender: z.union([stacksAddressId, contractId]).optional().describe('default: who deployed the contract'),
  arguments: z.array(clarityHex).max(32).default([]),
})
export const mapBody = z.strictObject({ key: clarityHex })
export const feeBody = z.strictObject({
  payload: hex(64 * 1024).describe('payload of the transaction, consensus bytes in hex'),
  bytes: z.int().min(1).max(2_000_000).describe('how long the whole transaction is'),
})
export const transactionBody = z.strictObject({
  transaction: hex(100 * 1024).describe('signed transaction, consensus bytes in hex'),
})
export const sent = z.strictObject({ txid: z.string() })
