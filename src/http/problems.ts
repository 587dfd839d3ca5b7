/** Every problem that the API answers with: `code` → status, what it means, what to do. Its page is `/errors/{code}`. */

export type ProblemKind = {
  readonly status: number
  readonly title: string
  /** What happened, in a sentence or two. */
  readonly meaning: string
  /** What the asker can do about it. */
  readonly remedy: string
}

const kind = (status: number, title: string, meaning: string, remedy: string): ProblemKind => ({
  status,
  title,
  meaning,
  remedy,
})

const NARROW = 'Narrow the range of heights or days, or aggregate earlier.'
const WAIT = 'Nothing is lost. Wait for the seconds that Retry-After names and ask again.'

const SIGN_IN_AGAIN = 'Sign in again, and ask once more.'

const KINDS = {
  'accounts.confirm': kind(
    400,
    'Nothing was deleted',
    'Deleting an account is for good, so the request must say the word.',
    'Send {"confirm": "delete"}.',
  ),
  'accounts.expired': kind(
    401,
    'The sign-in has ended',
    'The token has expired, or the session that it came from was ended.',
    SIGN_IN_AGAIN,
  ),
  'accounts.form': kind(
    400,
    'A value cannot be taken',
    'What was sent is of the right form, and still cannot be what it should be: a date that is past, an address that is none.',
    'Read `detail`, correct the value and send it again.',
  ),
  'accounts.key': kind(
    401,
    'The key is not believed',
    'No key of that kind was made here, or it was revoked, or it has expired.',
    'Make a new key on the account page.',
  ),
  'accounts.keys_full': kind(
    409,
    'There are enough keys',
    'A person may have only so many keys at a time.',
    'Revoke one that is not used any more.',
  ),
  'accounts.multisig': kind(
    422,
    'An address of several keys cannot be proved here',
    'The address belongs to several keys together (it begins with SM). One signature shows one of its owners, not all of them, and no form of a common signature is known that this server could check.',
    'Sign in with an address of one key (it begins with SP), or with an account by email.',
  ),
  'accounts.needed': kind(
    401,
    'This needs a sign-in',
    'What was asked for belongs to a person, and the request says nothing of who asks.',
    'Sign in with an account or a wallet.',
  ),
  'accounts.not_found': kind(
    404,
    'You have nothing of that name',
    'The session or key is not one of yours, or it was ended before.',
    'GET /api/v1/account lists what there is.',
  ),
  'accounts.operator': kind(
    403,
    'This is for operators',
    'Only those who run the site may do that.',
    'Whoever runs this server names them in ASSAY_OPERATORS.',
  ),
  'accounts.origin': kind(
    403,
    'The request came from another site',
    'A page of another site asked for a change in your name. Nothing was done.',
    'Do it on our own pages.',
  ),
  'accounts.proof': kind(
    401,
    'The signed message is refused',
    'The message or its signature is not what was asked for: `detail` says which part. Its nonce is used up.',
    'Ask for a new message and sign that one.',
  ),
  'accounts.provider_away': kind(
    503,
    'Who signs tokens does not answer',
    'The token could be checked only with the keys of the tenant that signed it, and these could not be read.',
    WAIT,
  ),
  'accounts.scope': kind(
    403,
    'The key or token is not for that',
    'Keys and tokens are made for a purpose, and what was asked for is not within it.',
    'Sign in, or make a key with the scope that `detail` names.',
  ),
  'accounts.token': kind(
    401,
    'The token is not believed',
    'The token was not signed for this server, is not whole, or two ways of saying who asks came at once.',
    SIGN_IN_AGAIN,
  ),
  'accounts.too_many': kind(
    429,
    'Too much in a short time',
    'So many tries in so short a time are not let through: accounts are not to be guessed, nor counts driven up.',
    WAIT,
  ),
  'accounts.wallet': kind(
    401,
    'The wallet is not proved',
    'The request names the address of a wallet, and no session shows that the asker holds its key.',
    'Sign the message of POST /api/v1/siws/nonce, or ask without `wallet-address`.',
  ),
  'http.application': kind(
    404,
    'There is no such application',
    'The catalogue of this server has no application of that name.',
    'Take one of those that the answer names.',
  ),
  'http.application_table': kind(
    404,
    'There is no such table of applications',
    'Pages of applications have no table of that name.',
    'Take one of those that the answer names.',
  ),
  'http.credentials': kind(
    401,
    'Who asks cannot be proved here',
    'The request carries a token or the address of a wallet. This server knows no accounts and checks no proof of an address, so it can believe neither.',
    'Ask without `authorization` and `wallet-address`: all that this server shows is open without them.',
  ),
  'http.card': kind(
    404,
    'There is no such card',
    'No public page or chart has the address that was asked for.',
    'Take the address that the page itself names as its og:image.',
  ),
  'http.past_often': kind(
    429,
    'Too many past days at once',
    'Pages as of a past day are computed from scratch, two at a time for one network.',
    WAIT,
  ),
  'http.past_days': kind(
    429,
    'Too many past days',
    'Answers as of a past day are computed from scratch, so one network may ask about twenty of them a minute.',
    WAIT,
  ),
  'http.past_busy': kind(
    503,
    'Too many pages of past days are being drawn',
    'Pages as of a past day are computed from scratch, two at a time, and the queue is full.',
    WAIT,
  ),
  'http.draws_often': kind(
    429,
    'Too many searches at once',
    'A page with a search or a filter is drawn for each text. One network may have twelve of them drawn at a time.',
    WAIT,
  ),
  'http.draws_busy': kind(
    503,
    'Too many searches are being drawn',
    'Pages with a search or a filter are drawn four at a time, and the queue is full.',
    WAIT,
  ),
  'http.cards_busy': kind(
    503,
    'Too many cards are being drawn',
    'Pictures of pages are drawn two at a time, and enough of them are waiting.',
    WAIT,
  ),
  'http.card_unread': kind(
    503,
    'The figures of a card cannot be read',
    'What the picture of this page would tell could not be read just now.',
    WAIT,
  ),
  'http.page': kind(
    404,
    'There is no such page of text',
    'Nobody has written a page of that name.',
    'Take one of those that the answer names.',
  ),
  'http.feature': kind(
    403,
    'This needs a feature',
    'What was asked for is given to readers who have the feature that `detail` names.',
    'Pricing says what it is part of and how to get it.',
  ),
  'http.gated': kind(
    404,
    'There is no such piece',
    'Nobody has written a piece for subscribers under that name.',
    'GET /api/cms/content/gated lists those that there are.',
  ),
  'billing.closed': kind(
    404,
    'Nothing is sold here',
    'Whoever runs this server has configured no payment.',
    'Pricing says how to get access on this server.',
  ),
  'billing.no_customer': kind(
    404,
    'There is nothing to manage',
    'Who asks has bought nothing on this server yet.',
    'Pricing says what there is.',
  ),
  'billing.no_price': kind(
    404,
    'There is no such price',
    'This server sells no subscription of that length.',
    'Take one of those that /api/v1/billing/plans lists.',
  ),
  'billing.signature': kind(
    400,
    'The message is not signed by the payment provider',
    'Its signature is missing, too old, or of other bytes or another secret; nothing of it was read.',
    'The provider signs its messages with the secret that STRIPE_WEBHOOK_SECRET holds.',
  ),
  'billing.subscribed': kind(
    409,
    'There is a subscription already',
    'A second one would be paid for twice and give nothing more.',
    'Manage Subscription leads to the one there is.',
  ),
  'billing.unavailable': kind(
    503,
    'The payment provider does not answer',
    'What only the provider can say could not be asked. Nothing was charged.',
    WAIT,
  ),
  'content.invalid': kind(
    400,
    'The text cannot be published as it is',
    'It has a fault that `detail` names with its line or field.',
    'Correct it and send it again.',
  ),
  'content.changed': kind(
    409,
    'Somebody else has saved meanwhile',
    'The text has a newer version than the one that was opened, and would be lost.',
    'Open the newest version, put both together and save that.',
  ),
  'content.unknown': kind(
    404,
    'There is nothing of that name',
    'No text, version, picture or advertisement that is shown now is called so.',
    'Ask for the list again.',
  ),
  'http.report': kind(
    404,
    'There is no such report',
    'Nobody has written a report of that name.',
    'GET /api/v1/reports lists those that there are.',
  ),
  'http.developer_table': kind(
    404,
    'There is no such table of developers',
    'The page about developers has no table of that name.',
    'Take one of those that the answer names.',
  ),
  'http.treasury': kind(
    404,
    'There is no such treasury',
    'The catalogue has no holder of bitcoin of that name.',
    'Take one of those that the answer names.',
  ),
  'http.treasury_table': kind(
    404,
    'There is no such table of treasuries',
    'Pages about treasuries have no table of that name.',
    'Take one of those that the answer names.',
  ),
  'http.index': kind(
    404,
    'There is no such index',
    'The catalogue has no index of tokens of that name.',
    'Take one of those that the answer names.',
  ),
  'http.index_table': kind(
    404,
    'There is no such table of indices',
    'The page about indices has no table of that name.',
    'Take one of those that the answer names.',
  ),
  'http.opportunity_table': kind(
    404,
    'There is no such table of yields',
    'The page about yields has no table of that name.',
    'Take one of those that the answer names.',
  ),
  'http.signal': kind(
    404,
    'There is no such signal',
    'The catalogue has no signal of that name.',
    'Take one of those that the answer names.',
  ),
  'http.stacks_name': kind(
    404,
    'There is no such name',
    'Nobody has registered that name, or it has run out.',
    'Check how it is written: names of BNS end in .btc or another namespace.',
  ),
  'http.stacks_node_away': kind(
    503,
    'The Stacks node does not answer',
    'The node or public API that this server asks is away, busy, or answered in a form that is not known.',
    WAIT,
  ),
  'http.stacks_node_nothing': kind(
    404,
    'The Stacks node has nothing of that name',
    'No contract, variable, map or account of that name is at the tip of the chain.',
    'Check how it is written.',
  ),
  'http.stacks_node_off': kind(
    503,
    'No Stacks node is asked here',
    'Whoever runs this server lets no Stacks node or public API be asked.',
    'Ask a node of your own; what this server holds itself stands below /api/v1/stacks.',
  ),
  'http.stacks_node_often': kind(
    429,
    'The Stacks node is asked too often',
    'A node is passed only so many questions of one asker in a minute.',
    WAIT,
  ),
  'http.stacks_node_refused': kind(
    502,
    'The Stacks node refused the question',
    'The node answered with a status that says that it does not take such a question.',
    'Check names, addresses and values; the status stands in the answer.',
  ),
  'http.stacks_rejected': kind(
    422,
    'The Stacks node rejected the transaction',
    'The node did not take the transaction; `errors` names its own word for the reason.',
    'Do what `hint` says.',
  ),
  'http.stacks_table': kind(
    404,
    'There is no such table of Stacks',
    'Pages about Stacks have no table of that name.',
    'Take one of those that the answer names.',
  ),
  'http.address': kind(
    400,
    'The address is not written as addresses are',
    'A percent sign without its two digits, or another character that an address cannot hold.',
    'Encode what stands in the address (encodeURIComponent does it) and ask again.',
  ),
  'http.body': kind(
    400,
    'The body is not whole JSON',
    'The body of the request ended early or is no JSON, so nothing of it was read.',
    'Send one JSON object, and check quotes and commas.',
  ),
  'http.body_too_large': kind(
    413,
    'The body is too long',
    'A statement and its parameters may take 256 KiB together.',
    'Send a shorter statement; long lists of values belong into a parameter or a range.',
  ),
  'http.defect': kind(
    500,
    'Something of ours failed',
    'A defect of this site, not of the request. The log of the server holds what happened under the id that `instance` names.',
    'Ask again; if it stays, tell whoever runs this server the id of the request.',
  ),
  'http.headers_too_large': kind(
    431,
    'Address and headers are too long',
    'Address and headers of the request together are longer than this server reads.',
    'Send long statements in the body of POST /api/v1/sql; leave out cookies that are not ours.',
  ),
  'http.layer': kind(
    404,
    'There is no such Bitcoin layer',
    'The catalogue of this server has no layer of that name.',
    'Take one of those that the answer names; /api/v1/layers lists all.',
  ),
  'http.malformed': kind(
    400,
    'This is no request',
    'What arrived is no request as HTTP/1.1 writes them, so nothing of it was read.',
    'Use an HTTP client; over TLS, ask the https address.',
  ),
  'http.media_type': kind(
    415,
    'The body is of an unknown form',
    'Only JSON is read.',
    'Send the body with `content-type: application/json`.',
  ),
  'http.method': kind(
    405,
    'This method is not possible here',
    'The address exists, but answers to other methods. `Allow` lists them.',
    'Use one of the methods in `Allow`; /api/openapi.json lists every address with its methods.',
  ),
  'http.not_acceptable': kind(
    406,
    'There is no such form of the answer',
    'None of the media types in `Accept` is one that this address can answer in.',
    'Ask for application/json, text/csv, Arrow or Parquet, or name the form in the address: `format=csv`.',
  ),
  'http.not_found': kind(
    404,
    'Nothing answers at this address',
    'No part of the API has this address. Addresses tell upper from lower case.',
    'GET /api/openapi.json lists every address.',
  ),
  'http.parameter': kind(
    400,
    'A parameter is wrong',
    'One or more parameters are unknown, are missing, or have a value of another kind. `errors` names each with the reason.',
    'Correct the parameters that `errors` names; unknown ones are refused, so that a slip of the pen is not ignored.',
  ),
  'http.too_many_streams': kind(
    429,
    'Too many streams of changes',
    'One address may keep only so many streams of changes open, and so may all together.',
    'Close one, or ask again later: pages work without, they only do not change by themselves.',
  ),
  'http.too_slow': kind(
    408,
    'The request took too long to arrive',
    'The request was not sent whole within its time.',
    'Send it again, in one piece.',
  ),
  'http.unavailable': kind(
    503,
    'The warehouse does not answer',
    'The engine behind the figures is starting, restarting, cannot be reached, or has no memory to spare.',
    WAIT,
  ),

  'metrics.breakdown': kind(
    400,
    'The metric has no such breakdown',
    'The metric has no breakdown at all, or none of this value.',
    'GET /api/v1/metrics lists the breakdown of each metric with its values.',
  ),
  'metrics.from': kind(
    400,
    'The first day is wrong',
    '`from` is no day of the calendar, or lies after `to`.',
    'Write days as YYYY-MM-DD, the earlier one as `from`.',
  ),
  'metrics.to': kind(
    400,
    'The last day is wrong',
    '`to` is no day of the calendar.',
    'Write days as YYYY-MM-DD.',
  ),
  'metrics.grain': kind(
    400,
    'The metric is not kept by this grain',
    'The grain is unknown, or the metric counts distinct things, which never add up over days.',
    'Ask for `grain=day`.',
  ),
  'metrics.switches': kind(
    400,
    'The metric has no such switch',
    'The metric cannot be counted in the way that `switches` names.',
    'GET /api/v1/metrics lists the switches of each metric.',
  ),
  'metrics.unit': kind(
    400,
    'The metric cannot be shown in this unit',
    'Only amounts of money can be shown in BTC or USD: a ratio or a count has no price.',
    'Leave `unit` out, or ask for `unit=native`.',
  ),
  'metrics.unknown_entity': kind(
    404,
    'The metric does not cover this entity',
    'The metric exists, but not for this chain or layer.',
    'GET /api/v1/metrics lists the `entities` of each metric.',
  ),
  'metrics.unknown_metric': kind(
    404,
    'There is no such metric',
    'No metric of the catalogue has this id.',
    'GET /api/v1/metrics lists all ids; the answer names the nearest ones.',
  ),

  'explorer.block_not_found': kind(
    404,
    'The block is not held',
    'No block of this height or hash is held on this server, neither whole nor as a node’s statistics.',
    'Look at /status for the heights that are held. A server that follows a node, or has loaded its files, holds all of them.',
  ),
  'explorer.block_stale': kind(
    404,
    'The block lost its height to another',
    'A block of this hash was mined and is known, but it is not part of the best chain.',
    'Ask for the height that the answer names to see the block that won.',
  ),
  'explorer.address': kind(
    400,
    'This is no address of the chain',
    'Addresses carry a check: those of Stacks in their last letters, those of EVM layers in their capital letters. This one does not fit.',
    'Copy the address whole: from SP or SM on, or 0x and 40 digits.',
  ),
  'explorer.address_not_found': kind(
    404,
    'Nothing is held of this address',
    'No block held on this server tells of the address. It may be in use all the same.',
    'Look at /status for the heights that are held.',
  ),
  'explorer.name_not_found': kind(
    404,
    'Nothing is held of this name',
    'No block held on this server moved the token of the name. It may belong to somebody all the same.',
    'Look at /status for the heights that are held.',
  ),
  'explorer.contract_not_found': kind(
    404,
    'Nothing is held of this contract',
    'No block held on this server made, called or heard the contract.',
    'Look at /status for the heights that are held.',
  ),
  'explorer.cursor': kind(
    400,
    'No such place in the list',
    'Lists go on from a place that the page before names as `next`. What was given is none.',
    'Take `before` from `next` of the page before, or leave it out.',
  ),
  'explorer.layer': kind(
    404,
    'There is no such layer',
    'The address names a layer that the catalogue does not have.',
    'Take one of those that the answer names.',
  ),
  'explorer.sbtc_not_found': kind(
    404,
    'Nothing is held of this deposit or withdrawal',
    'No block held on this server tells of it, or the transaction has part in several.',
    'Look at /status for the heights that are held. Name a deposit by its output: txid, colon, number.',
  ),
  'explorer.sbtc_of': kind(
    400,
    'This is neither a transaction nor an address',
    'Deposits and withdrawals are found by a transaction of either chain, by an output on Bitcoin, or by an address of Stacks.',
    'Copy the txid whole, 64 hexadecimal digits, or the address from SP or SM on.',
  ),
  'explorer.tx_not_found': kind(
    404,
    'The transaction is not held',
    'No block held on this server has a transaction of this id. It may be unconfirmed, or in a block that is not held.',
    'Look at /status for the heights that are held.',
  ),
  'explorer.txs_not_held': kind(
    404,
    'The transactions of this block are not held',
    'Of this block a node’s statistics are known, not the block itself.',
    'Load the block from a node or from its files (`assay backfill`), and each transaction opens.',
  ),

  'sql.cancelled': kind(
    409,
    'The query was cancelled',
    'Somebody who knows its id stopped it, or the asker went away.',
    'Run it again.',
  ),
  'sql.empty': kind(
    400,
    'There is no statement',
    'The text holds nothing but space and comments.',
    'Send one reading statement.',
  ),
  'sql.failed': kind(
    400,
    'The engine refused the statement',
    'The statement was understood, and running it failed for the reason in `detail`.',
    'Read `detail`; line and column point at the place where one is known.',
  ),
  'sql.format': kind(
    400,
    'The statement says how to write its answer',
    'FORMAT and INTO OUTFILE are not for the statement to choose here.',
    'Leave the clause out and choose `format`: json, csv, arrow or parquet.',
  ),
  'sql.not_grouped': kind(
    400,
    'A column is neither grouped nor aggregated',
    'A statement that aggregates may name only columns of GROUP BY outside of its aggregates.',
    'Add the column to GROUP BY, or put it into an aggregate such as any() or max().',
  ),
  'sql.not_running': kind(
    404,
    'No query of this id is running',
    'It has ended already, or never ran here.',
    'Nothing needs to be done.',
  ),
  'sql.parameter_missing': kind(
    400,
    'A parameter has no value',
    'The statement has a `{name:Type}` that was given no value and has no default.',
    'Give it under `parameters`: {"name": "value"}.',
  ),
  'sql.parameter_unknown': kind(
    400,
    'The statement has no such parameter',
    'A value was given for a `{name:Type}` that does not stand in the statement.',
    'Leave the value out, or write the parameter into the statement.',
  ),
  'sql.parameter_value': kind(
    400,
    'A value does not fit its parameter',
    'The value cannot be read as the type that the statement names for it.',
    'Write it as its type asks: a Date as YYYY-MM-DD, an integer without separators.',
  ),
  'sql.query_id': kind(
    400,
    'The query id is not well formed',
    'An id of your own has 8 to 64 letters, digits, - and _.',
    'Choose such an id, or leave `queryId` out.',
  ),
  'sql.query_id_taken': kind(
    409,
    'A query of this id is running',
    'Ids must differ while their queries run, because whoever knows one may cancel it.',
    'Choose another id, or cancel the query that runs: DELETE /api/v1/sql/{queryId}.',
  ),
  'sql.read_only': kind(
    400,
    'Only reading is possible',
    'The statement writes, changes a setting, or is of a kind that does not read.',
    'Begin with SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES work too. Leave SETTINGS out.',
  ),
  'sql.refused': kind(
    400,
    'The statement reaches for what is not public',
    'Files, the network, the engine’s own tables and names as parameters are out of reach of people’s SQL.',
    'SHOW TABLES lists what can be read.',
  ),
  'sql.syntax': kind(
    400,
    'The statement cannot be read',
    'The text is no SQL of the engine from `line` and `column` on. The dialect is ClickHouse’s.',
    'Look just before the place: a comma, a bracket or a quote is often missing there.',
  ),
  'sql.too_large': kind(
    422,
    'The answer is too large',
    'An answer may have 64 MiB, and a file 10,000 rows.',
    'Add a LIMIT, select fewer columns, or aggregate.',
  ),
  'sql.too_long': kind(422, 'The query ran too long', 'A query may run for ten seconds.', NARROW),
  'sql.too_long_text': kind(
    400,
    'The statement is too long',
    'The text of a statement has a limit, which `detail` names.',
    'Shorten it: long lists of values are better a range or a join.',
  ),
  'sql.too_many_at_once': kind(
    429,
    'Too many queries at once',
    'Two queries of one address may run at a time, and eight in all.',
    'Wait for one to end, or cancel it. Retry-After says when to try again.',
  ),
  'sql.too_many_rows': kind(
    422,
    'The query would read too many rows',
    'A query may read only so many rows of the tables.',
    'Narrow the range of heights or days: both are the tables’ order.',
  ),
  'sql.too_much_memory': kind(
    422,
    'The query needed too much memory',
    'A query may take 1 GiB.',
    'Narrow the range of heights or days, or group by fewer values.',
  ),
  'sql.two_statements': kind(
    400,
    'There is more than one statement',
    'One request runs one statement.',
    'Send one statement at a time.',
  ),
  'sql.type': kind(
    400,
    'A value is of the wrong type',
    'A function or an operator got a value of a type that it does not take.',
    'Convert it: toUInt64(), toDate(), toString() and the like.',
  ),
  'sql.unavailable': kind(
    503,
    'The query engine does not answer',
    'The engine is starting, restarting, cannot be reached, or has no memory to spare.',
    WAIT,
  ),
  'sql.unknown_column': kind(
    400,
    'There is no such column',
    'No table of the statement has a column of this name.',
    'DESCRIBE a table to see its columns. Lines and columns of the answer point at the name.',
  ),
  'sql.unknown_function': kind(
    400,
    'There is no such function',
    'The engine has no function of this name, or it is not for people’s SQL. Names tell upper from lower case.',
    'The answer names the nearest one where there is one.',
  ),
  'sql.unknown_table': kind(
    400,
    'There is no such table',
    'No public table has this name.',
    'SHOW TABLES lists what can be read. Name tables without a database.',
  ),

  'warehouse.disk_full': kind(
    503,
    'The disk of the warehouse is full',
    'The engine cannot write what it needs to answer. What was acknowledged is held.',
    'Whoever runs this server must free space; then it goes on by itself.',
  ),
  'warehouse.engine_gone': kind(
    503,
    'Data engine unavailable',
    'The data engine does not answer and is being started again. It is retried without end.',
    WAIT,
  ),
  'warehouse.engine_lost': kind(
    503,
    'The engine stopped at this question',
    'The engine ended while it worked on the answer and has been started again.',
    WAIT,
  ),
  'warehouse.engine_start': kind(
    503,
    'The engine did not start',
    'The engine refused to start; its log says why.',
    'Whoever runs this server finds its last words in the data folder.',
  ),
  'warehouse.server_away': kind(
    503,
    'The ClickHouse server cannot be reached',
    'This installation keeps its rows on a ClickHouse server, and that server does not answer.',
    'Whoever runs this server looks whether CLICKHOUSE_URL is right and the server runs.',
  ),
  'warehouse.server_other': kind(
    503,
    'What answers is no ClickHouse server',
    'At the address where the ClickHouse server should be, something else answers.',
    'Whoever runs this server corrects CLICKHOUSE_URL.',
  ),
  'warehouse.server_user': kind(
    503,
    'The ClickHouse server refuses the user',
    'The server knows the user or the password not, or the user may not do what is needed.',
    'Whoever runs this server corrects CLICKHOUSE_USER, CLICKHOUSE_PASSWORD or what the user may do.',
  ),
} satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof KINDS

export const PROBLEM_KINDS: Readonly<Record<ProblemCode, ProblemKind>> = KINDS

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(KINDS, code)

/** All kinds with their codes, those of a room together. */
export const listProblems = (): ({ code: ProblemCode } & ProblemKind)[] =>
  (Object.keys(KINDS) as ProblemCode[]).map(code => ({ code, ...KINDS[code] }))
