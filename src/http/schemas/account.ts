import { z } from 'zod'
import { ALIAS_LENGTH, KEY_SCOPES, MOST_KEY_QUERIES } from '#accounts/index.ts'
import { features } from './features.ts'

const time = z.iso.datetime()
const address = z.string().max(64).describe('Address of Stacks')

export const siwsRequest = z.strictObject({ address })
export const siwsOffer = z
  .object({
    nonce: z.string(),
    message: z.string().describe('The text to sign, unchanged'),
    expiresAt: time,
  })
  .meta({ id: 'SiwsOffer', description: 'A message that a wallet signs to prove its address, once.' })
export const siwsProof = z.strictObject({
  message: z.string().max(4096).describe('The text that was signed'),
  signature: z.string().max(200).describe('RSV, hexadecimal'),
})
export const provedWallet = z.object({ address: z.string() })

const session = z.object({
  id: z.string(),
  device: z.string().describe('User agent of the browser; empty if unknown'),
  since: time,
  seen: time.nullable(),
  expires: time.nullable(),
})

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  start: z.string().describe('Its first characters'),
  scopes: z.array(z.string()),
  queries: z
    .array(z.uuid())
    .nullable()
    .describe('Ids of the saved queries that it is limited to; null for no limit'),
  createdAt: time,
  usedAt: time.nullable(),
  expiresAt: time.nullable(),
})

export const account = z
  .object({
    person: z.object({
      kind: z.enum(['account', 'wallet']),
      id: z.string(),
      email: z.string().nullable(),
      isEmailProved: z.boolean().nullable().describe('Null for wallets and for accounts at a tenant'),
      name: z.string().nullable(),
    }),
    features,
    plan: z.object({ name: z.string(), features: z.array(z.string()) }).nullable(),
    trialUntil: time.nullable(),
    isOperator: z.boolean(),
    sessions: z.array(session),
    keys: z.array(apiKey),
  })
  .meta({ id: 'Account', description: 'Data stored about the caller.' })

export const keyRequest = z.strictObject({
  name: z.string().trim().min(1).max(60),
  scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length),
  queries: z
    .array(z.uuid())
    .min(1)
    .max(MOST_KEY_QUERIES)
    .optional()
    .describe('Limits the key to these saved queries of the caller, with the scope read:query'),
  expires: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When it ends; without it, when it is revoked'),
})
export const newKey = apiKey.extend({ key: z.string().describe('The key: shown this once') })

export const aliasRequest = z.strictObject({
  address,
  alias: z
    .string()
    .max(ALIAS_LENGTH * 4)
    .describe('Its name; empty takes the name away'),
})
export const aliases = z.array(z.object({ alias: z.string(), wallet: z.object({ address: z.string() }) }))

export const deletion = z.strictObject({ confirm: z.string().describe('The word “delete”') })

export const peopleConfig = z
  .object({
    auth: z.object({
      domain: z.string(),
      clientId: z.string(),
      audience: z.string(),
      scope: z.string(),
    }),
    asignaOrigins: z.array(z.string()),
    hubHosts: z.array(z.string()),
  })
  .meta({ id: 'PeopleConfig', description: 'What a browser needs to sign people in.' })
