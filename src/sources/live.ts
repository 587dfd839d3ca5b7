import type { Catalog } from '#catalog/index.ts'
import type { RefusedValue } from './parts.ts'
import type { Observed, ObservedPrice } from './recording.ts'
import type { SourceDeclaration } from './source.ts'
import type { PoolListing, PoolMark } from './yieldPools.ts'

/** One question to a publisher. With the id of its source, `about` is the name of a job: `defillama.tvl rootstock`. */
export type SourceRequest = {
  /** Entity or list that is asked about. */
  readonly about: string
  readonly url: string
  /**
   * Where the publisher answers the same where `url` is gone (404, 410, led elsewhere, nobody there): its newer and older
   * addresses, in the order in which they are asked. `read` gets the request with the address that answered.
   */
  readonly otherwise?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** The pool that is asked about, as lists of pools name it: `read` gets what these said of it. */
  readonly pool?: string
  /**
   * Read-only calls of contracts on Stacks. `url` is then `/v2/info` of a node: all calls are asked as of the tip that it
   * names, and `read` gets `{ tip, answers }`, an answer by the name of its call.
   */
  readonly calls?: readonly ContractCall[]
}

/** A read-only call. */
export type ContractCall = {
  readonly name: string
  /** `address.name` */
  readonly contract: string
  readonly function: string
  readonly arguments: readonly ({ readonly principal: string } | { readonly uint: string })[]
  /** It may be gone, or refuse: its answer is null then. */
  readonly isOptional: boolean
}

/** What a contract answered, kept beside the figures that are read from it. */
export type ContractAnswer = {
  readonly contract: string
  readonly functionName: string
  /** JSON of the arguments. */
  readonly args: string
  /** Block as of which it was asked, and its index block hash in hexadecimal. */
  readonly height: number
  readonly blockId: string
  /** JSON; null where it refused. */
  readonly answer: string | null
}

/** What a publisher says a token on Stacks is called; null for what it does not say. */
export type TokenWord = {
  /** `address.name` */
  readonly contract: string
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
  /** Base units. */
  readonly totalSupply: bigint | null
  readonly imageUrl: string | null
}

/** A figure of a named entity. */
export type EntityFigure = Observed & { readonly entity: string }
/** A day's price of an asset in a currency. */
export type AssetPrice = ObservedPrice & { readonly asset: string; readonly quote: string }

/** What one answer says; a day that is not over is left out or said to be seen at a time of it. */
export type SourceAnswer = {
  readonly observations: readonly EntityFigure[]
  readonly prices: readonly AssetPrice[]
  readonly contractAnswers?: readonly ContractAnswer[]
  readonly tokenWords?: readonly TokenWord[]
  /** Of a list of pools those with bitcoin, as of the day of the answer. */
  readonly poolListings?: readonly PoolListing[]
  /** Values that did not fit and were left out. */
  readonly refused?: readonly RefusedValue[]
}

/**
 * A publisher that is asked again and again. It says what to ask and how an answer reads, and nothing of when, how often or
 * where figures are kept.
 */
export type LiveSource = SourceDeclaration & {
  readonly cadenceSeconds: number
  /** Most requests a minute that its host is sent by us. */
  readonly requestsPerMinute: number
  /** A key that the publisher takes: sent in `header`, after `scheme` and a space where it has one; without one that is demanded nothing is asked. */
  readonly key?: {
    readonly variable: string
    readonly header: string
    readonly scheme?: 'Bearer'
    readonly isDemanded: boolean
    /** What it is, where it is no key. */
    readonly what?: string
  }
  /** Longest answer that can be true, bytes; 20 MB unless given. */
  readonly maxBytes?: number
  /** It lists entities of which it has no figure and answers with none: that is an answer, no fault. */
  readonly mayBeEmpty?: boolean
  readonly requests: (catalog: Catalog) => readonly SourceRequest[]
  /**
   * Leaves out values that do not fit, and names them. Throws `sources.shape` where the form of the answer as a whole does not
   * fit, or no value does: then nothing of it is kept.
   */
  readonly read: (request: SourceRequest, json: unknown, context: ReadContext) => SourceAnswer
}

export type ReadContext = {
  readonly catalog: Catalog
  /** When the answer came, seconds since 1970. */
  readonly seenAt: number
  /** What lists that are held say of the pool that the request names. */
  readonly marks?: readonly PoolMark[]
}
