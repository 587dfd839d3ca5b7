import { BOOT_ADDRESSES } from '#kernel/stacks.ts'
import { sqlString } from '../types.ts'
import { type View, view } from '../view.ts'
import { printView } from './prints.ts'

const BNS_2 = 'SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2'
const BNS_1 = `${BOOT_ADDRESSES.mainnet}.bns`
/** What both versions let a name consist of. Other bytes are no name that anybody may be shown. */
const SPELLING = '^[a-z0-9_-]{1,48}\\\\.[a-z0-9_-]{1,20}$'

/** Names of the second BNS by their number. Source: BNS-V2, `name-register`, `name-import`, `name-airdrop`, `name-renewal`. */
const bnsPrints = printView('stx_bns_prints', {
  doc: 'One row per report of the second BNS about a name: made, airdropped, renewed, sent on, burned.',
  contracts: [BNS_2],
  events: ['new-name', 'new-airdrop', 'renew-name', 'transfer-name', 'burn-name'],
  fields: {
    name_id: { path: 'id', kind: 'u128', doc: 'number of its token; null where the report does not say' },
    name: { path: 'name.name', kind: 'bytes', doc: 'name, without its namespace' },
    namespace: { path: 'name.namespace', kind: 'bytes', doc: 'namespace' },
    owner: { path: 'owner', kind: 'text', doc: 'who has it after that' },
  },
})

const stxNames = view('stx_names', {
  doc: 'One row per BNS name that somebody has, by the movements of its token that are held. Both versions; whose lifetime has run out is not told from the others.',
  columns: {
    name: 'name with its namespace, as `muneeb.btc`',
    owner: 'who has it: a marketplace’s contract while it holds it',
    version: 'of BNS: 1, or 2 from October 2024 on',
    height: 'block in which it got there',
    block_time: 'its time, UTC',
    is_primary:
      'stands beside its owner’s address: the one that it chose by call; of others the one of version 2 that it has had longest, then that of version 1',
  },
  sql: `WITH
  told AS (
    SELECT name_id, argMax(concat(p.name, '.', p.namespace), (p.height, p.event_index)) AS full_name
    FROM stx_bns_prints AS p
    WHERE name_id IS NOT NULL
    GROUP BY name_id
  ),
  chosen AS (
    SELECT c.sender AS sender, argMax(a.uint_value, (c.height, c.tx_index)) AS name_id
    FROM stx_calls AS c
    INNER JOIN stx_call_args AS a
      ON a.contract = c.contract AND a.function_name = c.function_name AND a.height = c.height AND a.tx_index = c.tx_index
    WHERE c.contract = ${sqlString(BNS_2)} AND c.function_name = 'set-primary-name' AND c.is_success
      AND a.contract = ${sqlString(BNS_2)} AND a.function_name = 'set-primary-name'
    GROUP BY sender
  ),
  held AS (
    SELECT asset, token_repr, owner, o.height AS height, o.block_time AS block_time
    FROM stx_nft_owners AS o
    WHERE asset IN (${sqlString(`${BNS_2}::BNS-V2`)}, ${sqlString(`${BNS_1}::names`)})
  ),
  named AS (
    SELECT full_name AS name, owner, 2 AS version, height, block_time, toUInt128OrZero(substring(token_repr, 2)) AS id
    FROM held
    INNER JOIN told ON told.name_id = toUInt128OrZero(substring(token_repr, 2))
    WHERE asset = ${sqlString(`${BNS_2}::BNS-V2`)}
    UNION ALL
    SELECT
      concat(
        unhex(extract(token_repr, '\\\\(name 0x([0-9a-f]*)\\\\)')), '.',
        unhex(extract(token_repr, '\\\\(namespace 0x([0-9a-f]*)\\\\)'))
      ),
      owner, 1, height, block_time, 0
    FROM held
    WHERE asset = ${sqlString(`${BNS_1}::names`)}
  )
SELECT
  n.name AS name, n.owner AS owner, CAST(n.version AS UInt8) AS version, n.height AS height, n.block_time AS block_time,
  CAST(row_number() OVER (
    PARTITION BY n.owner
    ORDER BY chosen.sender != '' DESC, n.version DESC, n.height, n.name
  ) = 1 AS Bool) AS is_primary
FROM named AS n
LEFT JOIN chosen ON chosen.sender = n.owner AND n.version = 2 AND chosen.name_id = n.id
WHERE match(n.name, '${SPELLING}')`,
})

/** Names, in the order in which views rest on one another. */
export const BNS_VIEWS: readonly View[] = [bnsPrints, stxNames]
