import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { stxDexEvents } from '#warehouse/tables/stacksDex.ts'
import type { Exchanges } from '../deps.ts'
import { createDexSql, type DexSql } from './dexSql.ts'
import type { Rollup } from './rollup.ts'

const IN_DAYS = (of = ''): string =>
  `${of}height BETWEEN (SELECT min(height) FROM blocks) AND (SELECT max(height) FROM blocks) AND toDate(${of}block_time) IN {buckets:Array(Date)}`

/** Prints of exchanges, by the fields that the catalogue names. */
const printsOf = ({ number, words, poolPlaces, sourceNumber, isDeclared }: DexSql): string => `prints AS (
    SELECT
      source_number, contract, event, height, any(block_time) AS block_time, event_index, any(txid) AS txid,
      ${number('x')} AS x, ${number('y')} AS y,
      ${number('amount_in')} AS printed_in, ${number('amount_out')} AS printed_out,
      ${number('lp_fee')} AS printed_lp_fee, ${number('protocol_fee')} AS printed_protocol_fee,
      ${number('fee_rate')} AS fee_rate, ${number('fee_rebate')} AS fee_rebate,
      ${number('reserve_x')} AS printed_x, ${number('reserve_y')} AS printed_y,
      ${number('shares')} AS printed_shares, ${number('minted')} AS minted, ${number('burned')} AS burned,
      ${number('amplification')} AS amplification, ${number('factor')} AS said_factor,
      ${number('midpoint_over')} AS midpoint_over, ${number('midpoint_under')} AS midpoint_under,
      ${number('bin_price')} AS bin_price,
      ${words('token_x')} AS said_x, ${words('token_y')} AS said_y,
      ${words('token_in')} AS said_in, ${words('token_out')} AS said_out, ${words('trader')} AS said_trader,
      anyIf(if(uint_value IS NULL, text_value, toString(uint_value)), place IN (${poolPlaces})) AS said_pool
    FROM (
      SELECT
        f.contract AS contract, f.event AS event, f.height AS height, f.block_time AS block_time,
        f.event_index AS event_index, f.txid AS txid, f.uint_value AS uint_value, f.text_value AS text_value,
        ${sourceNumber('f.contract')} AS source_number,
        concat(toString(source_number), ' ', f.event, ' ', f.path) AS place
      FROM stx_print_fields AS f
      WHERE (${isDeclared('f.contract')}) AND ${IN_DAYS('f.')}
    )
    GROUP BY source_number, contract, event, height, event_index
  )`

/** What the catalogue says of each, and the print of the same holder before it in its transaction. */
const knownOf = ({ ofEvent, ofSource }: DexSql): string => `known AS (
    SELECT
      p.*,
      ${ofEvent(({ kind }) => kind)} AS said_kind,
      ${ofEvent(event => event.in ?? '')} AS said_side,
      ${ofSource(({ legs }) => legs)} AS legs,
      if(${ofSource(({ pool }) => (pool === 'self' ? 'self' : ''))} = 'self', contract, said_pool) AS pool_name,
      ${ofSource(({ numberedBy }) => numberedBy ?? '')} AS numbered_by,
      multiIf(
        pool_name = '', '',
        position(pool_name, '.') > 0, pool_name,
        concat(if(numbered_by = '', contract, numbered_by), '#', pool_name)
      ) AS pool,
      multiIf(
        ${ofSource(({ holder }) => holder)} = 'self', contract,
        ${ofSource(({ holder }) => holder)} = 'pool', pool_name,
        ${ofSource(({ holder }) => holder)}
      ) AS holder,
      lagInFrame(toInt64(event_index), 1, toInt64(-1)) OVER (
        PARTITION BY height, txid, holder ORDER BY event_index
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS previous,
      row_number() OVER (PARTITION BY height, txid, contract ORDER BY event_index) AS nth,
      count() OVER (PARTITION BY height, txid, contract) AS nths
    FROM prints AS p
    WHERE said_kind != '' OR positionCaseInsensitive(event, 'swap') > 0 OR event = ''
  )`

/** What came to the holder and what left it between the print before and this one: (place, comes in, token, amount, other party). */
const movesOf = ({ tokenOf }: DexSql): string => `moves AS (
    SELECT
      k.height AS height, k.event_index AS event_index,
      arraySort(move -> move.1, groupArray((
        t.event_index, ifNull(t.recipient, '') = k.holder,
        if(t.standard = 'stx', 'STX', ${tokenOf("splitByString('::', t.asset)[1]")}), t.amount,
        if(ifNull(t.recipient, '') = k.holder, ifNull(t.sender, ''), ifNull(t.recipient, ''))
      ))) AS moves
    FROM known AS k
    INNER JOIN stx_transfers AS t ON t.height = k.height AND t.txid = k.txid
    WHERE ${IN_DAYS('t.')} AND k.legs = 'transfers' AND t.standard != 'nft' AND t.action = 'transfer'
      AND t.event_index < k.event_index AND toInt64(t.event_index) > k.previous
      AND (ifNull(t.recipient, '') = k.holder OR ifNull(t.sender, '') = k.holder)
    GROUP BY k.height, k.event_index
  )`

/** Factors of the pools that a call goes through: no print states them, a call of the exchange itself does, in the order of its prints. */
const calledOf = ({ factorArgs }: DexSql): string => `called AS (
    SELECT
      a.height AS height, a.txid AS txid, a.contract AS contract,
      arrayMap(factor -> factor.2, arraySort(groupArray((a.arg_index, toUInt128(a.uint_value))))) AS factors
    FROM stx_call_args AS a
    WHERE (a.contract, a.function_name, a.arg_index) IN (${factorArgs.length === 0 ? "('', '', 0)" : factorArgs.join(', ')})
      AND isNotNull(a.uint_value) AND ${IN_DAYS('a.')}
    GROUP BY a.height, a.txid, a.contract
  )`

/**
 * Tokens, amounts, fees and reserves of each. A swap counts where both sides are known and what the print says, where it
 * does, is what moved; anything else is kept as not read.
 */
const readOf = ({ tokenOf, fixedFee, feeScale }: DexSql): string => `read AS (
    SELECT
      k.source_number AS source_number, k.contract AS contract, k.event AS event, k.height AS height,
      k.block_time AS block_time, k.event_index AS event_index, k.txid AS txid, k.pool AS pool,
      k.printed_x AS printed_x, k.printed_y AS printed_y, k.printed_shares AS printed_shares, k.minted AS minted,
      k.burned AS burned, k.amplification AS amplification, k.said_trader AS said_trader, k.said_side AS said_side,
      k.bin_price AS bin_price, k.midpoint_over AS midpoint_over, k.midpoint_under AS midpoint_under,
      ifNull(k.said_factor, if(length(c.factors) = k.nths, toUInt256(c.factors[k.nth]), NULL)) AS factor,
      multiIf(
        k.said_kind = '', 'unread',
        -- Nothing moved: an empty bin was passed by.
        k.said_kind = 'swap' AND k.legs = 'print' AND ifNull(k.x, 1) = 0 AND ifNull(k.y, 1) = 0, 'set',
        k.said_kind
      ) AS kind,
      arrayFilter(move -> move.2 AND move.5 != k.holder, m.moves) AS comes,
      arrayFilter(move -> NOT move.2, m.moves) AS leaves,
      ${tokenOf('k.said_x')} AS printed_token_x,
      ${tokenOf('k.said_y')} AS printed_token_y,
      arrayReverseSort(move -> move.4, comes)[1] AS most_in,
      arrayReverseSort(move -> move.4, arrayFilter(move -> move.3 != most_in.3, leaves))[1] AS most_out,
      multiIf(
        kind != 'swap', '',
        k.said_side = 'printed', ${tokenOf('k.said_in')},
        k.legs = 'transfers', most_in.3,
        k.said_side = 'x', printed_token_x,
        printed_token_y
      ) AS token_in,
      multiIf(
        kind != 'swap', '',
        k.said_side = 'printed', ${tokenOf('k.said_out')},
        k.legs = 'transfers', most_out.3,
        k.said_side = 'x', printed_token_y,
        printed_token_x
      ) AS token_out,
      multiIf(
        kind != 'swap', '',
        k.said_side IN ('x', 'y'), k.said_side,
        token_in = '', '',
        token_in = printed_token_x, 'x',
        token_in = printed_token_y, 'y',
        ''
      ) AS side,
      multiIf(
        k.said_side = 'printed', k.printed_in,
        k.legs = 'transfers', if(most_in.4 > 0, most_in.4, NULL),
        side = 'x', k.x,
        k.y
      ) AS amount_in,
      multiIf(
        k.said_side = 'printed', k.printed_out,
        k.legs = 'transfers', if(most_out.4 > 0, most_out.4, NULL),
        side = 'x', k.y,
        k.x
      ) AS amount_out,
      multiIf(
        kind = 'swap', if(side = 'x', token_in, token_out),
        k.said_x != '', printed_token_x,
        kind = 'add', comes[1].3,
        kind = 'remove', leaves[1].3,
        ''
      ) AS token_x,
      multiIf(
        kind = 'swap', if(side = 'x', token_out, token_in),
        k.said_y != '', printed_token_y,
        kind = 'add', comes[2].3,
        kind = 'remove', leaves[2].3,
        ''
      ) AS token_y,
      multiIf(
        kind = 'swap', if(side = 'x', amount_in, amount_out),
        k.x IS NOT NULL OR k.legs = 'print', k.x,
        kind = 'add' AND comes[1].4 > 0, comes[1].4,
        kind = 'remove' AND leaves[1].4 > 0, leaves[1].4,
        NULL
      ) AS amount_x,
      multiIf(
        kind = 'swap', if(side = 'x', amount_out, amount_in),
        k.y IS NOT NULL OR k.legs = 'print', k.y,
        kind = 'add' AND comes[2].4 > 0, comes[2].4,
        kind = 'remove' AND leaves[2].4 > 0, leaves[2].4,
        NULL
      ) AS amount_y,
      multiIf(
        kind != 'swap' OR amount_in IS NULL, NULL,
        k.printed_lp_fee IS NOT NULL, toUInt256(k.printed_lp_fee) + toUInt256(ifNull(k.printed_protocol_fee, 0)),
        k.fee_rate IS NOT NULL AND ${feeScale} > 0,
          intDiv(toUInt256(amount_in) * toUInt256(k.fee_rate) + (${feeScale} - 1), toUInt256(greatest(${feeScale}, 1))),
        ${fixedFee(({ of }) => of)} > 0,
          intDiv(toUInt256(amount_in) * (${fixedFee(({ lp, protocol }) => lp + protocol)}), toUInt256(greatest(${fixedFee(({ of }) => of)}, 1))),
        NULL
      ) AS fee,
      multiIf(
        fee IS NULL, NULL,
        k.printed_lp_fee IS NOT NULL, toUInt256(k.printed_lp_fee),
        k.fee_rebate IS NOT NULL AND ${feeScale} > 0,
          intDiv(fee * toUInt256(k.fee_rebate), toUInt256(greatest(${feeScale}, 1))),
        ${fixedFee(({ of }) => of)} > 0,
          fee - intDiv(toUInt256(amount_in) * (${fixedFee(({ protocol }) => protocol)}), toUInt256(greatest(${fixedFee(({ of }) => of)}, 1))),
        NULL
      ) AS lp_fee,
      multiIf(
        kind = 'unread' OR pool = '', false,
        kind IN ('create', 'set'), true,
        token_x = '' OR token_y = '' OR token_x = token_y OR amount_x IS NULL OR amount_y IS NULL, false,
        kind != 'swap', true,
        -- What a print says of less than one base unit out is so; transfers of nothing there are none.
        amount_in > 0 AND (amount_out > 0 OR k.legs = 'print') AND side != '' AND fee IS NOT NULL AND fee < amount_in
          AND ifNull(k.printed_in, amount_in) = amount_in AND ifNull(k.printed_out, amount_out) = amount_out
      ) AS is_read
    FROM known AS k
    LEFT JOIN moves AS m ON m.height = k.height AND m.event_index = k.event_index
    LEFT JOIN called AS c ON c.height = k.height AND c.txid = k.txid AND c.contract = k.contract
  )`

/** SQL: whether a print states the reserves from before its event. */
const isBefore = ({ ofSource }: DexSql): string => `${ofSource(({ reserves }) => reserves)} = 'before'`
/** The reserve of a side after the event: as printed, or as printed before it and what moved since. */
const reserveAfter = (sql: DexSql, side: 'x' | 'y'): string => `multiIf(
    NOT ifNull(is_read, false) OR printed_${side} IS NULL, NULL,
    NOT (${isBefore(sql)}) OR kind = 'create', printed_${side},
    kind = 'add', printed_${side} + amount_${side},
    kind = 'remove', if(amount_${side} > printed_${side}, NULL, printed_${side} - amount_${side}),
    side = '${side}', toUInt128(printed_${side} + amount_${side} - (fee - lp_fee)),
    if(amount_${side} > printed_${side}, NULL, printed_${side} - amount_${side})
  )`

const swapsBefore =
  'PARTITION BY height, txid ORDER BY event_index ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW'
const IS_SWAP = "kind = 'swap' AND ifNull(is_read, false)"

/** Swaps and liquidity of exchanges, told from prints and transfers by the declarations of the catalogue. */
export function dexEventsOf(catalog: Exchanges): Rollup {
  const select = catalog.exchanges.length === 0 ? NONE : selectOf(createDexSql(catalog))
  return { table: stxDexEvents, grains: ['day'], scope: 'stacks', select: () => select }
}

/** Without an exchange there is no event. */
const NONE = `SELECT ${Object.keys(stxDexEvents.columns).map(snake).join(', ')}
FROM ${BASE_DATABASE}.${stxDexEvents.name} WHERE false`

const selectOf = (sql: DexSql): string => `WITH
  blocks AS (
    SELECT height, block_time FROM stx_blocks WHERE toDate(block_time) IN {buckets:Array(Date)}
  ),
  ${printsOf(sql)},
  ${knownOf(sql)},
  ${movesOf(sql)},
  ${calledOf(sql)},
  ${readOf(sql)}
SELECT
  {run:UInt64}, toDate(block_time),
  ${sql.ofSource(({ protocol }) => protocol)}, ${sql.ofSource(({ name }) => name)},
  contract, pool, ${sql.ofSource(({ curve }) => curve)}, kind, ifNull(is_read, false),
  height, block_time, event_index, txid,
  if(said_trader != '' OR kind NOT IN ('swap', 'add'), said_trader, comes[1].5),
  side, token_x, token_y, amount_x, amount_y,
  toUInt128OrNull(toString(lp_fee)), toUInt128OrNull(toString(fee - lp_fee)),
  ${reserveAfter(sql, 'x')}, ${reserveAfter(sql, 'y')},
  ${sql.reserveDecimals},
  multiIf(
    printed_shares IS NULL, NULL,
    NOT (${isBefore(sql)}), printed_shares,
    kind = 'add', printed_shares + ifNull(minted, 0),
    kind = 'remove', printed_shares - least(printed_shares, ifNull(burned, 0)),
    printed_shares
  ),
  amplification,
  if(${IS_SWAP}, toUInt32(countIf(${IS_SWAP}) OVER (${swapsBefore})), 0),
  ${IS_SWAP} AND lagInFrame(token_out, 1, '') OVER (PARTITION BY height, txid, kind, is_read ORDER BY event_index ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) != token_in,
  toUInt128OrNull(toString(factor)), midpoint_over, midpoint_under, bin_price, minted, burned
FROM read`
