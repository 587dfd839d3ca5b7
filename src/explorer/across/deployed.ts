import { ExplorerError } from '../errors.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'
import { type ChainHeld, type ChainId, isEvm, readHeld } from './chains.ts'
import type { KnownContract, Names } from './names.ts'

/** A contract where it was made. */
export type DeployedContract = {
  chain: ChainId
  contract: string
  known: KnownContract | null
  deployer: string
  height: number
  time: string
  txHash: string
  /** Version of Clarity; null on EVM layers and where nobody says it. */
  version: string | null
  kind: string
  /** Contracts held of the same code on the same chain, itself in; null where its code is not known. */
  copies: number | null
  /** Functions that anybody may call; null where its interface is not held. */
  functionCount: number | null
}

export type DeployedDay = { day: string; chain: ChainId; version: string; contractCount: number }
export type Deployer = { chain: ChainId; deployer: string; contractCount: number; newest: string }

export type DeployedSummary = {
  /** The newest ninety days with blocks. */
  days: DeployedDay[]
  /** Who made most of all that is held. */
  deployers: Deployer[]
  contractCount: number
  held: ChainHeld[]
}

export type DeployedQuery = {
  chain?: ChainId
  deployer?: string
  version?: string
  before?: string
  limit?: number
}

const DAYS = 90
const DEPLOYERS = 25

const hex = (address: string): string => address.slice(2).toLowerCase()

/** Contracts from the newest on. `before` is the cursor of the page before. Throws `explorer.cursor`. */
export async function readDeployed(
  reader: Reader,
  names: Names,
  { chain, deployer, version, before, limit = 50 }: DeployedQuery,
): Promise<{ items: DeployedContract[]; next: string | null }> {
  const cursor = before === undefined ? undefined : cursorOf(before)
  const isHex = deployer !== undefined && /^0x[0-9a-f]{40}$/i.test(deployer)
  type Row = Omit<DeployedContract, 'known' | 'time' | 'copies'> & {
    timeS: number
    copies: string | null
    place: string
  }
  const wantsStacks = (chain === undefined || chain === 'stacks') && !isHex
  const wantsLayers =
    (chain === undefined || isEvm(chain)) && version === undefined && (deployer === undefined || isHex)
  const at = 'toUnixTimestamp(c.block_time)'
  const after = cursor === undefined ? '' : ` AND (${at}, c.place) < ({timeS:UInt32}, {place:String})`
  const stacks = `SELECT
  'stacks' AS chain, c.contract AS contract, c.deployer AS deployer, c.height AS height, ${at} AS timeS,
  lower(hex(c.txid)) AS txHash, if(c.clarity_version IS NULL, NULL, toString(c.clarity_version)) AS version,
  'transaction' AS kind, c.function_count AS functionCount, c.place AS place,
  if(c.source_code = '', NULL, k.copies) AS copies
FROM (SELECT *, contract AS place FROM stx_contracts) AS c
LEFT JOIN (
  SELECT sipHash64(source_code) AS code, count() AS copies FROM stx_contracts GROUP BY code
) AS k ON k.code = sipHash64(c.source_code)
WHERE ${deployer === undefined ? 'true' : 'c.deployer = {deployer:String}'}${
    version === undefined ? '' : " AND ifNull(toString(c.clarity_version), 'unknown') = {version:String}"
  }${after}
ORDER BY timeS DESC, place DESC
LIMIT {limit:UInt32}`
  const layers = `SELECT
  toString(c.chain) AS chain, concat('0x', lower(hex(c.contract))) AS contract, concat('0x', lower(hex(c.creator))) AS deployer,
  c.height AS height, ${at} AS timeS, concat('0x', lower(hex(c.tx_hash))) AS txHash,
  CAST(NULL, 'Nullable(String)') AS version, toString(c.kind) AS kind, CAST(NULL, 'Nullable(UInt32)') AS functionCount,
  c.place AS place, if(c.code_hash IS NULL, NULL, k.copies) AS copies
FROM (SELECT *, concat(toString(chain), lower(hex(contract))) AS place FROM evm_contracts) AS c
LEFT JOIN (
  SELECT chain, code_hash, count() AS copies FROM evm_contracts WHERE code_hash IS NOT NULL GROUP BY chain, code_hash
) AS k ON k.chain = c.chain AND k.code_hash = c.code_hash
WHERE ${chain === undefined ? 'true' : 'c.chain = {chain:String}'}${
    deployer === undefined ? '' : ' AND c.creator = toFixedString(unhex({deployerHex:String}), 20)'
  }${after}
ORDER BY timeS DESC, place DESC
LIMIT {limit:UInt32}`
  const parameters = {
    limit: limit + 1,
    ...(chain !== undefined && { chain }),
    ...(deployer !== undefined && (isHex ? { deployerHex: hex(deployer) } : { deployer })),
    ...(version !== undefined && { version }),
    ...(cursor !== undefined && cursor),
  }
  const found = await Promise.all([
    wantsStacks ? readRows<Row>(reader, stacks, parameters) : [],
    wantsLayers ? readRows<Row>(reader, layers, parameters) : [],
  ])
  const rows = found
    .flat()
    .sort((a, b) => b.timeS - a.timeS || (a.place < b.place ? 1 : -1))
    .slice(0, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(({ timeS, place: _, copies, ...row }) => ({
      ...row,
      known: names(row.chain, row.contract),
      time: isoOf(timeS),
      copies: copies === null ? null : Number(copies),
    })),
    next: rows.length > limit && last !== undefined ? `${last.timeS}~${last.place}` : null,
  }
}

/** Places of both families stand in one order: by time, then by what names the contract. */
function cursorOf(before: string): { timeS: number; place: string } {
  const found = /^(\d{1,10})~([\w.-]{1,180})$/.exec(before)
  if (found?.[1] !== undefined && found[2] !== undefined) return { timeS: Number(found[1]), place: found[2] }
  throw new ExplorerError('explorer.cursor', `${before.slice(0, 60)} is no place in the list of contracts.`, {
    hint: 'Set `before` to `next` from the previous page, or leave it out to start with the newest.',
    facts: { before: before.slice(0, 60) },
  })
}

/** How many were made on the newest days, and who makes most. */
export async function readDeployedSummary(
  reader: Reader,
  chains: readonly ChainId[],
  { chain }: { chain?: ChainId },
): Promise<DeployedSummary> {
  type DayRow = Omit<DeployedDay, 'contractCount'> & { contracts: string }
  type DeployerRow = { chain: ChainId; deployer: string; contracts: string; timeS: number }
  const ofChain = chain === undefined ? 'true' : 'chain = {chain:String}'
  const parameters = { ...(chain !== undefined && { chain }) }
  const [held, days, deployers, [count]] = await Promise.all([
    readHeld(reader, chains),
    readRows<DayRow>(
      reader,
      `SELECT chain, toString(bucket) AS day, version, contracts
FROM (
  SELECT 'stacks' AS chain, bucket, clarity_version AS version, contract_count AS contracts
  FROM stx_contract_days
  WHERE bucket > (SELECT max(bucket) FROM stx_block_days) - ${DAYS}
  UNION ALL
  SELECT toString(d.chain) AS chain, d.bucket, '' AS version, sum(d.contract_count) AS contracts
  FROM evm_contract_days AS d
  INNER JOIN (SELECT chain, max(bucket) AS newest FROM evm_block_days GROUP BY chain) AS n ON n.chain = d.chain
  WHERE d.bucket > n.newest - ${DAYS}
  GROUP BY d.chain, d.bucket
)
WHERE ${ofChain}
ORDER BY day, chain, version`,
      parameters,
    ),
    readRows<DeployerRow>(
      reader,
      `SELECT chain, deployer, count() AS contracts, toUnixTimestamp(max(block_time)) AS timeS
FROM chain_contracts
WHERE ${ofChain}
GROUP BY chain, deployer
ORDER BY contracts DESC, chain, deployer
LIMIT ${DEPLOYERS}`,
      parameters,
    ),
    readRows<{ contracts: string }>(
      reader,
      `SELECT (SELECT count() FROM stx_contracts WHERE ${chain === undefined || chain === 'stacks'})
  + (SELECT count() FROM evm_contracts WHERE ${ofChain}) AS contracts`,
      parameters,
    ),
  ])
  return {
    held: held.filter(one => one.chain !== 'bitcoin' && (chain === undefined || one.chain === chain)),
    days: days.map(({ contracts, ...day }) => ({ ...day, contractCount: Number(contracts) })),
    deployers: deployers.map(({ contracts, timeS, ...row }) => ({
      ...row,
      contractCount: Number(contracts),
      newest: isoOf(timeS),
    })),
    contractCount: Number(count?.contracts ?? 0),
  }
}
