import { z } from 'zod'
import { sentenceOf } from '#kernel/errors.ts'
import { EVM_EVENT_KINDS, EVM_HEADER_FORMS } from '#kernel/evm.ts'
import { createEventIndex, type EventDefinition } from './abi/events.ts'
import { createFunctionIndex } from './abi/functions.ts'
import { checksumAddress, parseAddress } from './address.ts'
import type { EvmChain } from './codec.ts'
import type { Hex } from './hex.ts'

const Text = z.string().min(1)
const HttpUrl = z.string().regex(/^https?:\/\/[^{}\s]+$/, 'is no http address')
const Hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'is no hash')
  .transform(text => text as Hex)

/** An address of the catalogue, which must carry its checksum: facts are typed by people. Lower case in the code. */
const Address = z.string().transform((text, context): Hex => {
  try {
    const address = parseAddress(text)
    if (text === checksumAddress(address)) return address
    context.addIssue({
      code: 'custom',
      message: 'an address of the catalog is written with its checksum (EIP-55)',
    })
  } catch (thrown) {
    context.addIssue({ code: 'custom', message: sentenceOf(thrown) })
  }
  return z.NEVER
})

const Contract = z.strictObject({ name: Text, address: Address, role: Text, source: Text })

const Event = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9_-]+)+$/, 'is no id of an event'),
    kind: z.enum(EVM_EVENT_KINDS),
    signature: Text,
    roles: z.record(Text, Text),
    when: z.record(Text, z.union([z.boolean(), z.string()])).optional(),
    source: Text.optional(),
  })
  .superRefine((event, context) => {
    try {
      createEventIndex([event])
    } catch (thrown) {
      context.addIssue({ code: 'custom', path: ['signature'], message: sentenceOf(thrown) })
    }
  })

/** `catalog/evm/events.json`: events that mean the same on every chain. */
export const EventFacts = z.array(Event).superRefine((events, context) => {
  const ids = new Set<string>()
  for (const [at, { id }] of events.entries()) {
    if (ids.has(id))
      context.addIssue({ code: 'custom', path: [at, 'id'], message: `${id} stands here twice` })
    ids.add(id)
  }
})

/** `catalog/evm/functions.json`: functions by their selectors, whoever offers them. */
export const FunctionFacts = z
  .array(
    z.strictObject({
      selector: z
        .string()
        .regex(/^0x[0-9a-f]{8}$/, 'is no selector')
        .transform(text => text as Hex),
      signature: Text,
      source: Text,
    }),
  )
  .superRefine((functions, context) => {
    const seen = new Set<string>()
    for (const [at, one] of functions.entries()) {
      if (seen.has(one.selector))
        context.addIssue({ code: 'custom', path: [at], message: `${one.selector} stands here twice` })
      seen.add(one.selector)
      try {
        createFunctionIndex([one])
      } catch (thrown) {
        context.addIssue({ code: 'custom', path: [at], message: sentenceOf(thrown) })
      }
    }
  })

/** `catalog/chains/<id>.json` of an EVM chain. */
export const ChainFacts = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: Text,
  kind: z.literal('evm'),
  /** Where lists have it (`catalog/evmLayer.ts`). */
  place: z.int().positive().optional(),
  network: z.literal('mainnet'),
  chainId: z.int().positive(),
  testnetChainId: z.int().positive().optional(),
  /** What its nodes are made of: which quirks to expect. */
  stack: z.enum(['rootstock', 'op', 'cdk', 'geth']),
  headerForm: z.enum(EVM_HEADER_FORMS),
  /** Why a node is taken at its word, where it is. */
  headerFormWhy: Text.optional(),
  checksumChainId: z.int().positive().nullable(),
  /** What it is, and what it does on Bitcoin, in a sentence or two each. */
  about: z.strictObject({ is: Text, onBitcoin: Text, source: Text }),
  coin: z.strictObject({ symbol: Text, name: Text, unit: z.literal('wei'), decimals: z.literal(18) }),
  genesis: z.strictObject({
    hash: Hash.nullable(),
    timeS: z.int().positive().nullable(),
    why: Text.optional(),
  }),
  blockSeconds: z.int().positive().nullable(),
  endpoints: z.array(
    z.strictObject({ url: HttpUrl, source: Text, requestsPerMinute: z.int().positive().optional() }),
  ),
  multicall3: z.strictObject({ address: Address, fromBlock: z.int().nonnegative() }).nullable(),
  explorers: z.array(z.strictObject({ name: Text, block: Text, tx: Text, address: Text })),
  systemContracts: z.array(Contract),
  tokens: z.array(
    z.strictObject({
      symbol: Text,
      address: Address,
      /** null: not known before the contract is asked. */
      decimals: z.int().min(0).max(77).nullable(),
      kind: Text,
      source: Text,
    }),
  ),
  bridges: z.array(
    z.strictObject({
      name: Text,
      kind: Text,
      addresses: z.array(Address),
      events: z.array(Event),
      note: Text.optional(),
      source: Text,
    }),
  ),
  dapps: z.array(z.strictObject({ name: Text, kind: Text, contracts: z.array(Contract) })),
  reserve: z.strictObject({
    asset: Text,
    addresses: z.array(Text),
    how: Text.optional(),
    why: Text.optional(),
    note: Text.optional(),
  }),
  links: z.array(z.strictObject({ label: Text, url: z.url() })),
  /** What the short names of sources stand for. */
  sources: z.record(Text, Text),
})

export type EvmChainFacts = z.infer<typeof ChainFacts>
export type EvmEventFacts = z.infer<typeof EventFacts>
export type EvmFunctionFacts = z.infer<typeof FunctionFacts>

/** What the codec has to know of a chain of the catalogue. */
export const evmChainOf = ({ chainId, headerForm, checksumChainId }: EvmChainFacts): EvmChain => ({
  chainId,
  headerForm,
  checksumChainId,
})

/** The events of a chain: those of every chain, and those of its bridges, each at the bridge's own addresses. */
export function eventsOf(common: EvmEventFacts, facts: EvmChainFacts): EventDefinition[] {
  const ofBridges = facts.bridges.flatMap(({ addresses, events }) =>
    events.map(event => ({ ...event, ...(addresses.length > 0 && { emitters: addresses }) })),
  )
  return [...common, ...ofBridges]
}
