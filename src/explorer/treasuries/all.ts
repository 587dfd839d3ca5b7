import { btc, NOT_LOADED, pageOf, referenceOf, type TreasuryTable } from './table.ts'

const newestMarket = `market AS (
    SELECT
      m.entity AS entity, max(m.day) AS day, argMax(m.cap / m.nav, m.day) AS basic,
      argMax(m.cap * (1 + m.dilutive / m.shares) / m.nav, m.day) AS diluted, argMax((m.cap + m.owing) / m.nav, m.day) AS ev,
      argMax(m.per_share, m.day) AS per_share, per_share / argMaxIf(m.per_share, m.day, m.day <= m.last - 90 AND m.day > m.last - 97) - 1 AS yield
    FROM (
      SELECT
        d.entity AS entity, d.day AS day, assumeNotNull(d.close_usd) * assumeNotNull(d.shares) AS cap, assumeNotNull(d.shares) AS shares,
        d.dilutive_shares AS dilutive, assumeNotNull(d.held_sat) / 1e8 * d.btc_usd AS nav,
        d.debt_usd + ifNull(d.preferred_usd, 0) - ifNull(d.cash_usd, 0) AS owing,
        assumeNotNull(d.held_sat) / assumeNotNull(d.shares) AS per_share, max(d.day) OVER (PARTITION BY d.entity) AS last
      FROM treasury_market_days AS d
      WHERE d.held_sat > 0 AND d.shares > 0 AND d.close_usd > 0
    ) AS m
    GROUP BY m.entity
  )`
const newestHeld = `held AS (
    SELECT
      h.entity AS entity, argMax(h.held_sat, h.day) AS sat, argMax(h.grade, h.day) AS grade, max(h.day) AS day,
      argMaxIf(h.held_sat, h.day, h.day <= (SELECT max(day) FROM treasury_held) - 30) AS before
    FROM treasury_held AS h
    GROUP BY h.entity
  )`

/** Everybody who holds, the largest first. */
export const holdersTable: TreasuryTable = {
  title: 'Holders',
  sub: 'Last reported bitcoin, its source, and market multiples on the latest day with both. mNAV is grayed out for operating companies, whose value has other drivers',
  empty: NOT_LOADED,
  columns: [
    { key: 'name', label: 'Holder', form: 'page' },
    { key: 'ticker', label: 'Ticker', form: 'text' },
    { key: 'country', label: 'Country', form: 'text' },
    { key: 'kind', label: 'Kind', form: 'text' },
    {
      key: 'main_business',
      label: 'Main business',
      form: 'text',
      title: 'Where it is not holding bitcoin',
      isOptional: true,
    },
    { key: 'held', label: 'Bitcoin', form: 'amount' },
    { key: 'supply', label: 'Of 21 M', form: 'figure', unit: 'ratio' },
    {
      key: 'grade',
      label: 'Evidence',
      form: 'text',
      title: 'A address, B filing, C announcement or list, D press, E inferred',
    },
    { key: 'held_day', label: 'As of', form: 'day' },
    { key: 'age_days', label: 'Age, days', form: 'count', title: 'Days since its latest evidence' },
    {
      key: 'value_usd',
      label: 'Value',
      form: 'figure',
      unit: 'USD',
      title: 'At the latest close of bitcoin',
    },
    { key: 'cost', label: 'Average cost', form: 'figure', unit: 'USD', title: 'Self-reported' },
    {
      key: 'pnl',
      label: 'Profit',
      form: 'figure',
      unit: 'ratio',
      title: 'Latest close over average cost, less one',
    },
    { key: 'mnav', label: 'mNAV', form: 'figure', unit: '–', title: 'Basic market value over bitcoin' },
    {
      key: 'mnav_diluted',
      label: 'mNAV, diluted',
      form: 'figure',
      unit: '–',
      title: 'With all that may become shares, at any strike',
    },
    {
      key: 'mnav_ev',
      label: 'mNAV, EV',
      form: 'figure',
      unit: '–',
      title: 'With debt and preferred stock, less cash',
    },
    { key: 'mnav_day', label: 'mNAV as of', form: 'day' },
    { key: 'per_share', label: 'Sats a share', form: 'count', title: 'Basic' },
    {
      key: 'btc_yield',
      label: 'BTC yield',
      form: 'figure',
      unit: 'ratio',
      title: 'Growth of satoshis a basic share within the 90 days up to the day of its mNAV',
    },
    { key: 'moved_day', label: 'Last move', form: 'day' },
    { key: 'moved', label: 'Moved', form: 'amount', isOptional: true },
  ],
  sql: () => `WITH
  ${newestHeld},
  ${newestMarket},
  moves AS (
    SELECT e.entity AS entity, max(e.day) AS day, argMax(e.delta_sat, (e.day, e.position)) AS sat
    FROM treasury_events AS e
    WHERE e.delta_sat != 0 AND NOT e.is_corrected
    GROUP BY e.entity
  ),
  newest AS (SELECT argMax(close, day) AS close FROM usd_closes WHERE asset = 'BTC')
SELECT
  t.name AS name, ${pageOf('t.entity', 'name')}, t.ticker AS ticker, t.country AS country, t.kind AS kind,
  t.main_business AS main_business, ${btc('h.sat', 'held')}, h.sat / 2100000000000000 AS supply, h.grade AS grade, h.day AS held_day,
  toDate(now('UTC')) - h.day AS age_days, h.sat / 1e8 * n.close AS value_usd,
  t.cost_average_usd AS cost, n.close / t.cost_average_usd - 1 AS pnl,
  if(m.day > '1971-01-01', m.basic, NULL) AS mnav, if(m.day > '1971-01-01', m.diluted, NULL) AS mnav_diluted,
  if(m.day > '1971-01-01', m.ev, NULL) AS mnav_ev, if(m.day > '1971-01-01' AND isFinite(m.yield), m.yield, NULL) AS btc_yield,
  if(m.day > '1971-01-01', toNullable(m.day), NULL) AS mnav_day,
  if(m.day > '1971-01-01', toUInt64(round(m.per_share)), NULL) AS per_share,
  if(v.day > '1971-01-01', toNullable(v.day), NULL) AS moved_day,
  ${btc("if(v.day > '1971-01-01', toNullable(v.sat), NULL)", 'moved')},
  t.main_business != '' AS mnav_is_quiet, mnav_is_quiet AS mnav_diluted_is_quiet, mnav_is_quiet AS mnav_ev_is_quiet
FROM treasury_holders AS t
INNER JOIN held AS h ON h.entity = t.entity
LEFT JOIN market AS m ON m.entity = t.entity
LEFT JOIN moves AS v ON v.entity = t.entity
CROSS JOIN newest AS n
WHERE t.kind != 'etf'
ORDER BY h.sat DESC`,
}

/** What happened last, over all holders. */
export const movesTable: TreasuryTable = {
  title: 'Newest moves',
  sub: 'Purchases, sales and differences of reported totals, newest first; corrected ones are struck through and do not count',
  empty: NOT_LOADED,
  columns: [
    { key: 'day', label: 'Day', form: 'day' },
    { key: 'name', label: 'Holder', form: 'page' },
    { key: 'kind', label: 'What', form: 'text' },
    { key: 'moved', label: 'Bitcoin', form: 'amount' },
    { key: 'price', label: 'Price', form: 'figure', unit: 'USD' },
    { key: 'cost', label: 'Paid', form: 'figure', unit: 'USD' },
    { key: 'after', label: 'Holding after', form: 'amount' },
    { key: 'grade', label: 'Evidence', form: 'reference' },
  ],
  sql: () => `SELECT
  e.day AS day, t.name AS name, ${pageOf('e.entity', 'name')}, replaceAll(toString(e.kind), '-', ' ') AS kind,
  ${btc('e.delta_sat', 'moved')}, e.price_usd AS price, e.cost_usd AS cost, ${btc('e.after_sat', 'after')},
  toString(e.grade) AS grade, ${referenceOf('e.ref', 't.sec_cik', 'grade')}, e.is_corrected AS is_corrected
FROM treasury_events AS e
INNER JOIN treasury_holders AS t ON t.entity = e.entity
ORDER BY e.day DESC, e.position DESC
LIMIT 300`,
}

/** By how much bitcoin falls in the table below. */
const FALL = 0.3

/** What such a fall would leave of everybody who told of their debt, the weakest first. */
export const fallTable: TreasuryTable = {
  title: `If bitcoin falls by ${FALL * 100} %`,
  sub: 'Companies and miners that reported debt, lowest bitcoin coverage first. Other price drops are on each page. Debt, preferred stock and cash are as last reported',
  empty: NOT_LOADED,
  columns: [
    { key: 'name', label: 'Holder', form: 'page' },
    { key: 'held', label: 'Bitcoin', form: 'amount' },
    { key: 'value', label: 'Then worth', form: 'figure', unit: 'USD' },
    { key: 'debt', label: 'Debt', form: 'figure', unit: 'USD' },
    {
      key: 'covered',
      label: 'Bitcoin over debt',
      form: 'figure',
      unit: '–',
      title: 'Below one its bitcoin no longer covers its debt',
    },
    {
      key: 'left',
      label: 'Left for shares',
      form: 'figure',
      unit: 'USD',
      title: 'Bitcoin and cash less debt and preferred stock',
    },
    {
      key: 'nothing_at',
      label: 'Nothing left at',
      form: 'figure',
      unit: 'USD',
      title: 'Price of bitcoin at which bitcoin and cash are worth as much as debt and preferred stock',
    },
    {
      key: 'pnl',
      label: 'Profit on cost',
      form: 'figure',
      unit: 'ratio',
      title: 'Price after the fall over average cost, less one',
    },
    { key: 'told', label: 'Debt as of', form: 'day' },
  ],
  sql: () => `WITH
  ${newestHeld},
  owing AS (
    SELECT
      s.entity AS entity, maxIf(s.day, s.debt_usd IS NOT NULL) AS day, argMaxIf(s.debt_usd, s.day, s.debt_usd IS NOT NULL) AS debt,
      argMaxIf(s.preferred_usd, s.day, s.preferred_usd IS NOT NULL) AS preferred,
      argMaxIf(s.cash_usd, s.day, s.cash_usd IS NOT NULL) AS cash
    FROM treasury_statements AS s
    WHERE NOT s.is_corrected
    GROUP BY s.entity
  ),
  newest AS (SELECT argMax(close, day) * ${1 - FALL} AS price FROM usd_closes WHERE asset = 'BTC')
SELECT
  t.name AS name, ${pageOf('t.entity', 'name')}, ${btc('h.sat', 'held')}, h.sat / 1e8 * n.price AS value, o.debt AS debt,
  value / nullIf(o.debt, 0) AS covered, value + ifNull(o.cash, 0) - o.debt - ifNull(o.preferred, 0) AS left,
  greatest(toFloat64(assumeNotNull(o.debt)) + ifNull(o.preferred, 0) - ifNull(o.cash, 0), 0) / nullIf(h.sat / 1e8, 0) AS nothing_at,
  n.price / t.cost_average_usd - 1 AS pnl, o.day AS told
FROM owing AS o
INNER JOIN treasury_holders AS t ON t.entity = o.entity
INNER JOIN held AS h ON h.entity = o.entity
CROSS JOIN newest AS n
WHERE t.kind IN ('company', 'miner') AND o.debt IS NOT NULL AND h.sat > 0
ORDER BY covered IS NULL, covered, held DESC`,
}

/** A fund that has reported nothing for longer has no newest flows. */
const LATE_DAYS = 7

/** Funds by what flowed into them, up to the newest day of each. */
export const fundsTable: TreasuryTable = {
  title: 'US spot funds',
  sub: 'Bitcoin by their own reports, each quarter; net flows in dollars on trading days. Funds hold for others: they are in no total of holders',
  empty: 'Flows of funds come with the bundled snapshot, which was not loaded here.',
  columns: [
    { key: 'name', label: 'Fund', form: 'page' },
    { key: 'ticker', label: 'Ticker', form: 'text' },
    { key: 'issuer', label: 'Issuer', form: 'text' },
    { key: 'held', label: 'Bitcoin', form: 'amount', title: 'By its latest report' },
    { key: 'held_day', label: 'As of', form: 'day' },
    { key: 'last', label: 'Latest day', form: 'figure', unit: 'USD' },
    { key: 'month', label: '30 days', form: 'figure', unit: 'USD' },
    { key: 'year', label: '1 year', form: 'figure', unit: 'USD' },
    { key: 'total', label: 'Since start', form: 'figure', unit: 'USD' },
    { key: 'since', label: 'From', form: 'day' },
    { key: 'newest', label: 'To', form: 'day' },
  ],
  sql: () => `WITH
  flows AS (
    SELECT key AS ticker, day, ifNull(value, toFloat64(amount)) AS usd
    FROM latest_observations
    WHERE metric = 'etf.flow' AND entity = 'bitcoin'
  ),
  held AS (SELECT entity, argMax(held_sat, day) AS sat, max(day) AS of FROM treasury_held GROUP BY entity)
SELECT
  t.name AS name, ${pageOf('t.entity', 'name')}, t.ticker AS ticker, t.issuer AS issuer,
  ${btc('if(any(h.sat) > 0, toNullable(any(h.sat)), NULL)', 'held')}, if(any(h.sat) > 0, toNullable(any(h.of)), NULL) AS held_day,
  argMax(f.usd, f.day) AS last,
  if(any(n.newest) >= (SELECT max(day) FROM flows) - ${LATE_DAYS}, sumIf(f.usd, f.day > n.newest - 30), NULL) AS month,
  if(any(n.newest) >= (SELECT max(day) FROM flows) - ${LATE_DAYS}, sumIf(f.usd, f.day > n.newest - 365), NULL) AS year,
  sum(f.usd) AS total, min(f.day) AS since, max(f.day) AS newest
FROM flows AS f
INNER JOIN (SELECT ticker, max(day) AS newest FROM flows GROUP BY ticker) AS n ON n.ticker = f.ticker
INNER JOIN treasury_holders AS t ON t.ticker = f.ticker AND t.kind = 'etf'
LEFT JOIN held AS h ON h.entity = t.entity
GROUP BY t.entity, t.name, t.ticker, t.issuer
ORDER BY total DESC`,
}

/** What holders say against the sum of what they did: all who say it but funds, which tell of flows in dollars. */
export const conservationTable: TreasuryTable = {
  title: 'Does it add up?',
  sub: 'Reported holding of each holder less the sum of its recorded purchases and sales to that day. Differences are not adjusted. They were bought, mined or sold without a recorded event. Holders with totals only are last',
  empty: NOT_LOADED,
  columns: [
    { key: 'name', label: 'Holder', form: 'page' },
    { key: 'day', label: 'As of', form: 'day' },
    { key: 'held', label: 'Stated', form: 'amount' },
    { key: 'summed', label: 'Sum of events', form: 'amount' },
    { key: 'apart', label: 'Apart', form: 'amount' },
    { key: 'events', label: 'Events', form: 'count' },
  ],
  sql: () => `WITH
  said AS (
    SELECT r.entity AS entity, max(r.day) AS day, assumeNotNull(argMax(r.held_sat, (r.day, r.position))) AS sat
    FROM treasury_statements AS r
    WHERE r.held_sat IS NOT NULL AND NOT is_corrected
    GROUP BY r.entity
  ),
  summed AS (
    SELECT e.entity AS entity, sum(e.delta_sat) AS sat, count() AS events
    FROM treasury_events AS e
    INNER JOIN said AS d ON d.entity = e.entity
    WHERE e.day <= d.day AND NOT e.is_corrected
    GROUP BY e.entity
  )
SELECT
  t.name AS name, ${pageOf('s.entity', 'name')}, s.day AS day, ${btc('s.sat', 'held')}, ${btc('if(ifNull(e.events, 0) = 0, NULL, e.sat)', 'summed')},
  ${btc('if(ifNull(e.events, 0) = 0, NULL, toInt64(s.sat) - e.sat)', 'apart')}, ifNull(e.events, 0) AS events
FROM said AS s
INNER JOIN treasury_holders AS t ON t.entity = s.entity
LEFT JOIN summed AS e ON e.entity = s.entity
WHERE t.kind != 'etf'
ORDER BY events = 0, abs(toInt64(s.sat) - ifNull(e.sat, 0)) DESC, name`,
}

/** The list of another site on one day, beside what is held here of that day. */
export const listTable: TreasuryTable = {
  title: '142 companies on 2025-07-08',
  sub: 'A treasury site’s list for one day, rounded to millions of dollars, next to our figures for that day for holders in the catalog',
  empty: NOT_LOADED,
  columns: [
    { key: 'place', label: '#', form: 'count' },
    { key: 'name', label: 'Company as listed', form: 'text' },
    { key: 'country', label: 'Country', form: 'text' },
    { key: 'held', label: 'Bitcoin', form: 'amount' },
    { key: 'cap', label: 'Market cap', form: 'figure', unit: 'USD' },
    { key: 'lens', label: 'Cap over bitcoin', form: 'figure', unit: '–' },
    { key: 'ours', label: 'Held here', form: 'amount' },
    { key: 'apart', label: 'Apart', form: 'amount' },
  ],
  sql: () => `WITH
  then AS (
    SELECT h.entity AS entity, t.ticker AS ticker, argMax(h.held_sat, h.day) AS sat
    FROM treasury_held AS h
    INNER JOIN treasury_holders AS t ON t.entity = h.entity
    WHERE h.day <= '2025-07-08' AND t.ticker != ''
    GROUP BY h.entity, t.ticker
  )
SELECT
  l.place AS place, l.name AS name, l.country AS country, ${btc('l.held_sat', 'held')}, l.cap_usd AS cap,
  l.cap_usd / nullIf(l.value_usd, 0) AS lens,
  ${btc("if(o.ticker = '', NULL, toNullable(o.sat))", 'ours')},
  ${btc("if(o.ticker = '', NULL, toInt64(o.sat) - toInt64(l.held_sat))", 'apart')}
FROM (
  SELECT *, arrayFirst(known -> endsWith(name, known), (SELECT groupArray(ticker) FROM then)) AS ticker FROM treasury_list
) AS l
LEFT JOIN then AS o ON o.ticker = l.ticker
ORDER BY l.place`,
}
