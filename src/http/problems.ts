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
const WAIT = 'Wait for the number of seconds in Retry-After, then retry.'

const SIGN_IN_AGAIN = 'Sign in again, then retry.'

const KINDS = {
  'accounts.confirm': kind(
    400,
    'Deletion not confirmed',
    'Deleting an account is permanent, so the request must confirm it. Nothing was deleted.',
    'Send {"confirm": "delete"}.',
  ),
  'accounts.expired': kind(
    401,
    'Sign-in expired',
    'The token has expired, or its session was ended.',
    SIGN_IN_AGAIN,
  ),
  'accounts.form': kind(
    400,
    'Invalid value',
    'The value has the right type but is not valid, such as a date in the past or a malformed address.',
    'Read `detail`, correct the value and send it again.',
  ),
  'accounts.key': kind(
    401,
    'Invalid API key',
    'The key was not created on this server, was revoked, or has expired.',
    'Create a new key on the account page.',
  ),
  'accounts.keys_full': kind(
    409,
    'Too many API keys',
    'The account has reached its limit of active keys.',
    'Revoke a key that is no longer used.',
  ),
  'accounts.multisig': kind(
    422,
    'Multisig addresses cannot sign in',
    'The address is a multisig address (it begins with SM). One signature proves only one of its owners, and this server cannot check a joint signature.',
    'Sign in with a single-key address (it begins with SP) or with an email account.',
  ),
  'accounts.needed': kind(
    401,
    'Sign-in required',
    'The resource belongs to a user, and the request carries no credentials.',
    'Sign in with an account or a wallet.',
  ),
  'accounts.not_found': kind(
    404,
    'Session or key not found',
    'The session or key is not yours, or it was already ended.',
    'GET /api/v1/account lists your sessions and keys.',
  ),
  'accounts.operator': kind(
    403,
    'Operators only',
    'Only operators of this site can do that.',
    'The server lists its operators in ASSAY_OPERATORS.',
  ),
  'accounts.origin': kind(
    403,
    'Cross-site request refused',
    'A page on another site requested a change on your behalf. Nothing was changed.',
    'Make the change on this site.',
  ),
  'accounts.proof': kind(
    401,
    'Signed message rejected',
    'The message or its signature does not match the request. `detail` names the part. The nonce cannot be used again.',
    'Request a new message and sign it.',
  ),
  'accounts.provider_away': kind(
    503,
    'Identity provider unavailable',
    'The keys of the tenant that signed the token could not be loaded, so the token could not be checked.',
    WAIT,
  ),
  'accounts.scope': kind(
    403,
    'Scope missing',
    'The key or token does not have the scope that this request needs.',
    'Sign in, or create a key with the scope that `detail` names.',
  ),
  'accounts.token': kind(
    401,
    'Invalid token',
    'The token was not signed for this server, is incomplete, or came together with other credentials.',
    SIGN_IN_AGAIN,
  ),
  'accounts.too_many': kind(
    429,
    'Too many attempts',
    'Too many attempts in a short time. The limit protects accounts from guessing and counts from inflation.',
    WAIT,
  ),
  'accounts.wallet': kind(
    401,
    'Wallet not verified',
    'The request names a wallet address, and no session proves that the caller controls its key.',
    'Sign the message from POST /api/v1/siws/nonce, or leave out `wallet-address`.',
  ),
  'http.application': kind(
    404,
    'Application not found',
    'The catalog has no application with that name.',
    'Use one of the names in the response.',
  ),
  'http.application_table': kind(
    404,
    'Application table not found',
    'Application pages have no table with that name.',
    'Use one of the names in the response.',
  ),
  'http.credentials': kind(
    401,
    'Credentials not supported',
    'The request carries a token or a wallet address. This server has no accounts and cannot verify either.',
    'Leave out `authorization` and `wallet-address`. Everything on this server is public.',
  ),
  'http.card': kind(
    404,
    'Card not found',
    'No public page or chart has this address.',
    'Use the og:image address of the page.',
  ),
  'http.past_often': kind(
    429,
    'Too many past-day pages at once',
    'Pages as of a past day are computed from scratch. One network can load two at a time and a limited number per minute.',
    WAIT,
  ),
  'http.past_days': kind(
    429,
    'Too many past-day requests',
    'Responses as of a past day are computed from scratch. One network can request about twenty a minute.',
    WAIT,
  ),
  'http.past_busy': kind(
    503,
    'Past-day pages are busy',
    'Pages as of a past day are computed from scratch, two at a time, and the queue is full.',
    WAIT,
  ),
  'http.draws_often': kind(
    429,
    'Page rate limit reached',
    'Searches, list pages, combinations of controls and pages of single blocks are rendered on request. One network can load a limited number of new ones at once and per minute.',
    WAIT,
  ),
  'http.draws_busy': kind(
    503,
    'Pages are busy',
    'Searches, list pages, combinations of controls and pages of single blocks are rendered four at a time each, and the queue is full.',
    WAIT,
  ),
  'http.cards_often': kind(
    429,
    'Card rate limit reached',
    'Cards are rendered on request. One network can load a limited number of new ones at once and per minute.',
    WAIT,
  ),
  'http.cards_busy': kind(
    503,
    'Card images are busy',
    'Card images are rendered two at a time, and the queue is full.',
    WAIT,
  ),
  'http.card_unread': kind(
    503,
    'Card data unavailable',
    'The figures for this card image could not be loaded.',
    WAIT,
  ),
  'http.page': kind(
    404,
    'Page not found',
    'No text page has that name.',
    'Use one of the names in the response.',
  ),
  'http.feature': kind(
    403,
    'Feature required',
    'This content requires the feature that `detail` names.',
    'Pricing shows which plans include it.',
  ),
  'http.gated': kind(
    404,
    'Article not found',
    'No subscriber article has that name.',
    'GET /api/cms/content/gated lists all articles.',
  ),
  'billing.closed': kind(
    404,
    'Payments not configured',
    'This server has no payment provider configured.',
    'Pricing explains how to get access on this server.',
  ),
  'billing.no_customer': kind(
    404,
    'No purchases yet',
    'This account has not bought anything on this server.',
    'Pricing lists the plans.',
  ),
  'billing.no_price': kind(
    404,
    'Price not found',
    'This server has no subscription of that length.',
    'Use a price from /api/v1/billing/plans.',
  ),
  'billing.signature': kind(
    400,
    'Invalid payment webhook signature',
    'The signature is missing, too old, or does not match the body and secret. The message was not processed.',
    'Sign webhooks with the secret in STRIPE_WEBHOOK_SECRET.',
  ),
  'billing.subscribed': kind(
    409,
    'Already subscribed',
    'A second subscription would charge twice and add nothing.',
    'Use Manage Subscription to change the current one.',
  ),
  'billing.unavailable': kind(
    503,
    'Payment provider unavailable',
    'The payment provider could not be reached. Nothing was charged.',
    WAIT,
  ),
  'content.invalid': kind(
    400,
    'Invalid text',
    'The text has an error. `detail` names its line or field.',
    'Correct the text and send it again.',
  ),
  'content.changed': kind(
    409,
    'Edit conflict',
    'Someone saved a newer version after this one was opened. Saving would overwrite it.',
    'Open the latest version, merge the changes and save again.',
  ),
  'content.unknown': kind(
    404,
    'Content not found',
    'No current text, version, image or ad has that name.',
    'Reload the list.',
  ),
  'http.report': kind(
    404,
    'Report not found',
    'No report has that name.',
    'GET /api/v1/reports lists all reports.',
  ),
  'http.developer_table': kind(
    404,
    'Developer table not found',
    'The Developers page has no table with that name.',
    'Use one of the names in the response.',
  ),
  'http.treasury': kind(
    404,
    'Treasury not found',
    'The catalog has no bitcoin holder with that name.',
    'Use one of the names in the response.',
  ),
  'http.treasury_table': kind(
    404,
    'Treasury table not found',
    'Treasury pages have no table with that name.',
    'Use one of the names in the response.',
  ),
  'http.index': kind(
    404,
    'Index not found',
    'The catalog has no token index with that name.',
    'Use one of the names in the response.',
  ),
  'http.index_table': kind(
    404,
    'Index table not found',
    'The Indices page has no table with that name.',
    'Use one of the names in the response.',
  ),
  'http.opportunity_table': kind(
    404,
    'Yield table not found',
    'The Yields page has no table with that name.',
    'Use one of the names in the response.',
  ),
  'http.signal': kind(
    404,
    'Signal not found',
    'The catalog has no signal with that name.',
    'Use one of the names in the response.',
  ),
  'http.stacks_name': kind(
    404,
    'Name not found',
    'The name is not registered, or it has expired.',
    'Check the spelling. BNS names end in .btc or another namespace.',
  ),
  'http.stacks_node_away': kind(
    503,
    'Stacks node unreachable',
    'The configured node or public API is unreachable, busy, or returned an unknown format.',
    WAIT,
  ),
  'http.stacks_node_nothing': kind(
    404,
    'Not found on the Stacks node',
    'The chain tip has no contract, variable, map or account with that name.',
    'Check the spelling.',
  ),
  'http.stacks_node_off': kind(
    503,
    'Stacks node not configured',
    'This server does not query a Stacks node or public API.',
    'Use your own node. Indexed data is available under /api/v1/stacks.',
  ),
  'http.stacks_node_often': kind(
    429,
    'Stacks node rate limit exceeded',
    'Each caller can send only a limited number of node requests per minute.',
    WAIT,
  ),
  'http.stacks_node_refused': kind(
    502,
    'Stacks node refused the request',
    'The node returned a status that rejects the request.',
    'Check names, addresses and values. The response includes the status.',
  ),
  'http.stacks_rejected': kind(
    422,
    'Stacks node rejected the transaction',
    'The node did not accept the transaction. `errors` gives its reason.',
    'Follow `hint`.',
  ),
  'http.stacks_table': kind(
    404,
    'Stacks table not found',
    'Stacks pages have no table with that name.',
    'Use one of the names in the response.',
  ),
  'http.address': kind(
    400,
    'Malformed URL',
    'The URL has an incomplete percent encoding or a character that URLs cannot contain.',
    'Encode the URL with encodeURIComponent and retry.',
  ),
  'http.body': kind(
    400,
    'Invalid JSON body',
    'The request body is incomplete or not JSON, so it was not processed.',
    'Send one JSON object, and check quotes and commas.',
  ),
  'http.body_too_large': kind(
    413,
    'Body too large',
    'A query and its parameters can be 256 KiB in total.',
    'Send a shorter query. Move long lists of values into a parameter or a range.',
  ),
  'http.defect': kind(
    500,
    'Internal server error',
    'The error is in this site, not in the request. The server log has the details under the id in `instance`.',
    'Retry. If the error persists, send the request id to the operator of this server.',
  ),
  'http.headers_too_large': kind(
    431,
    'URL and headers too large',
    'The URL and headers of the request exceed the size limit of this server.',
    'Send long queries in the body of POST /api/v1/sql. Leave out cookies from other sites.',
  ),
  'http.host': kind(
    403,
    'Unknown host name',
    'The Host header names another site. The MCP server answers under its own name only, so that no page elsewhere can reach it through a changed DNS entry.',
    'Call the address of the site. Behind a proxy, pass the Host header on and set PUBLIC_URL.',
  ),
  'http.layer': kind(
    404,
    'Bitcoin layer not found',
    'The catalog has no layer with that name.',
    'Use one of the names in the response. /api/v1/layers lists all.',
  ),
  'http.malformed': kind(
    400,
    'Malformed request',
    'The data is not a valid HTTP/1.1 request, so it was not processed.',
    'Use an HTTP client. For TLS, use the https address.',
  ),
  'http.media_type': kind(
    415,
    'Unsupported media type',
    'Only JSON bodies are accepted.',
    'Send the body with `content-type: application/json`.',
  ),
  'http.method': kind(
    405,
    'Method not allowed',
    'This address accepts other methods. `Allow` lists them.',
    'Use one of the methods in `Allow`; /api/openapi.json lists every address with its methods.',
  ),
  'http.not_acceptable': kind(
    406,
    'Response format not available',
    'This address supports none of the media types in `Accept`.',
    'Request application/json, text/csv, Arrow or Parquet, or set the format in the URL: `format=csv`.',
  ),
  'http.not_found': kind(
    404,
    'Endpoint not found',
    'The API has no endpoint at this address. Addresses are case-sensitive.',
    'GET /api/openapi.json lists every address.',
  ),
  'http.parameter': kind(
    400,
    'Invalid parameter',
    'One or more parameters are unknown, missing, or of the wrong type. `errors` lists each with the reason.',
    'Correct the parameters in `errors`. Unknown parameters are refused so that typos are not silently ignored.',
  ),
  'http.too_many_streams': kind(
    429,
    'Too many update streams',
    'The number of open update streams is limited per address and in total.',
    'Close one or retry later. Pages work without it but do not update automatically.',
  ),
  'http.too_slow': kind(
    408,
    'Request timeout',
    'The request was not complete before the timeout.',
    'Send the complete request again.',
  ),
  'http.unavailable': kind(
    503,
    'Warehouse unavailable',
    'The data engine is starting, restarting, unreachable, or out of memory.',
    WAIT,
  ),

  'metrics.breakdown': kind(
    400,
    'Breakdown not found',
    'The metric has no breakdown, or no breakdown with this value.',
    'GET /api/v1/metrics lists the breakdown of each metric with its values.',
  ),
  'metrics.from': kind(
    400,
    'Invalid start date',
    '`from` is not a calendar date, or is after `to`.',
    'Write dates as YYYY-MM-DD, with the earlier one as `from`.',
  ),
  'metrics.to': kind(400, 'Invalid end date', '`to` is not a calendar date.', 'Write dates as YYYY-MM-DD.'),
  'metrics.grain': kind(
    400,
    'Grain not available',
    'The grain is unknown, or the metric counts distinct items, which cannot be summed across days.',
    'Use `grain=day`.',
  ),
  'metrics.switches': kind(
    400,
    'Switch not found',
    'The metric does not support a switch in `switches`.',
    'GET /api/v1/metrics lists the switches of each metric.',
  ),
  'metrics.unit': kind(
    400,
    'Unit not available',
    'Only amounts of money can be shown in BTC or USD. Ratios and counts have no price.',
    'Leave out `unit`, or use `unit=native`.',
  ),
  'metrics.unknown_entity': kind(
    404,
    'Entity not covered',
    'The metric is not available for this chain or layer.',
    'GET /api/v1/metrics lists the `entities` of each metric.',
  ),
  'metrics.unknown_metric': kind(
    404,
    'Metric not found',
    'The catalog has no metric with this id.',
    'GET /api/v1/metrics lists all ids. The response names the closest ones.',
  ),

  'explorer.block_not_found': kind(
    404,
    'Block not indexed',
    'This server has neither the block nor node statistics for this height or hash.',
    'See /status for indexed heights. A server that indexes from a node or its block files has all of them.',
  ),
  'explorer.block_stale': kind(
    404,
    'Stale block',
    'A block with this hash was mined but is not part of the best chain.',
    'Open the height in the response to see the block on the best chain.',
  ),
  'explorer.address': kind(
    400,
    'Invalid address',
    'The address fails its checksum. Stacks addresses have it in their last characters, EVM addresses in their capitalization.',
    'Copy the full address, starting with SP or SM, or 0x and 40 hexadecimal digits.',
  ),
  'explorer.address_not_found': kind(
    404,
    'Address not found',
    'No indexed block mentions the address. It may still be in use.',
    'See /status for indexed heights.',
  ),
  'explorer.name_not_found': kind(
    404,
    'Name not found',
    'No indexed block moved the token of this name. It may still be registered.',
    'See /status for indexed heights.',
  ),
  'explorer.contract_not_found': kind(
    404,
    'Contract not found',
    'No indexed block deploys, calls or prints from the contract.',
    'See /status for indexed heights.',
  ),
  'explorer.cursor': kind(
    400,
    'Invalid cursor',
    'Lists continue from the `next` value of the previous page. This value is not a valid cursor.',
    'Set `before` to `next` from the previous page, or leave it out.',
  ),
  'explorer.layer': kind(
    404,
    'Layer not found',
    'The catalog has no layer with the name in the address.',
    'Use one of the names in the response.',
  ),
  'explorer.sbtc_not_found': kind(
    404,
    'Deposit or withdrawal not found',
    'No indexed block mentions it, or the transaction takes part in several.',
    'See /status for indexed heights. Identify a deposit by its output: txid, colon, output index.',
  ),
  'explorer.sbtc_of': kind(
    400,
    'Not a transaction or an address',
    'Look up deposits and withdrawals by a transaction on either chain, a Bitcoin output, or a Stacks address.',
    'Copy the full txid (64 hexadecimal digits), or the address starting with SP or SM.',
  ),
  'explorer.tx_not_found': kind(
    404,
    'Transaction not indexed',
    'No indexed block has a transaction with this id. It may be unconfirmed, or in a block that is not indexed.',
    'See /status for indexed heights.',
  ),
  'explorer.txs_not_held': kind(
    404,
    'Block transactions not indexed',
    'Only node statistics are available for this block, not the block itself.',
    'Load the block from a node or its block files (`assay backfill`) to see its transactions.',
  ),

  'sql.cancelled': kind(
    409,
    'Query canceled',
    'The query was canceled by its id, or the caller disconnected.',
    'Run it again.',
  ),
  'sql.disk_full': kind(
    507,
    'No disk space for results',
    'The disk that stores query results is full. Nothing of this result was kept.',
    'Select fewer rows or columns, or try again later.',
  ),
  'sql.duplicate_column': kind(
    400,
    'Duplicate column name',
    'A stored result needs a different name for each of its columns.',
    'Name the columns with AS.',
  ),
  'sql.empty': kind(
    400,
    'Empty query',
    'The text has only whitespace and comments.',
    'Send one SELECT statement.',
  ),
  'sql.export': kind(
    403,
    'Export needs Premium',
    'Without Premium, results of up to 10,000 rows can be exported as CSV and JSON Lines.',
    'See /pricing, or export fewer rows as CSV.',
  ),
  'sql.failed': kind(
    400,
    'Query failed',
    'The query is valid, but running it failed for the reason in `detail`.',
    'Read `detail`. Line and column point to the position when it is available.',
  ),
  'sql.format': kind(
    400,
    'Output clause not allowed',
    'Queries cannot use FORMAT or INTO OUTFILE.',
    'Remove the clause and set `format` to json, csv, arrow or parquet.',
  ),
  'sql.not_grouped': kind(
    400,
    'Column not grouped or aggregated',
    'An aggregating query can use only GROUP BY columns outside its aggregate functions.',
    'Add the column to GROUP BY, or wrap it in an aggregate such as any() or max().',
  ),
  'sql.not_running': kind(
    404,
    'Query not running',
    'The query has already finished, or never ran on this server.',
    'No action is needed.',
  ),
  'sql.parameter_missing': kind(
    400,
    'Parameter value missing',
    'The query has a `{name:Type}` with no value and no default.',
    'Set it in `parameters`: {"name": "value"}.',
  ),
  'sql.parameter_unknown': kind(
    400,
    'Unknown query parameter',
    'A value was sent for a `{name:Type}` that is not in the query.',
    'Remove the value, or add the parameter to the query.',
  ),
  'sql.parameter_value': kind(
    400,
    'Invalid parameter value',
    'The value is not of the type that the query declares, or out of its range.',
    'Use the format of the type: a Date as YYYY-MM-DD, an integer without separators, a list as ["a", "b"], a map as {"a": 1}, a tuple as ("a", 1).',
  ),
  'sql.paused': kind(
    429,
    'Queries paused',
    'A query of this caller ran on after its time limit, because the engine cannot interrupt one call of a function.',
    'Wait for the time in Retry-After, then use smaller texts or lists.',
  ),
  'sql.premium': kind(
    403,
    'Premium feature',
    'Saving queries, their versions and their history are part of Premium.',
    'See /pricing. Copy the text of the query to keep it meanwhile.',
  ),
  'sql.query_id': kind(
    400,
    'Invalid query id',
    'A query id has 8 to 64 letters, digits, - and _.',
    'Use a valid id, or leave out `queryId`.',
  ),
  'sql.query_id_taken': kind(
    409,
    'Query id in use',
    'Ids of running queries must be unique, because anyone with the id can cancel the query.',
    'Use another id, or cancel the running query: DELETE /api/v1/sql/{queryId}.',
  ),
  'sql.read_only': kind(
    400,
    'Queries are read-only',
    'The statement writes, changes a setting, or is not a read statement.',
    'Begin with SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES work too. Leave SETTINGS out.',
  ),
  'sql.refused': kind(
    400,
    'Query uses restricted resources',
    'User queries cannot use files, the network, system tables, identifier parameters or functions that cannot be interrupted.',
    'SHOW TABLES lists the available tables.',
  ),
  'sql.result_column': kind(
    400,
    'Column of the result not found',
    'Columns of a result are counted from the first one, and it has fewer than this.',
    'Read `result.columns` for the columns of the result.',
  ),
  'sql.result_empty': kind(
    422,
    'Result without rows',
    'A file of a result needs at least one row.',
    'Change the query so that it returns rows.',
  ),
  'sql.result_expired': kind(
    410,
    'Result no longer stored',
    'Stored results that were not opened for longest are removed once all of them exceed the disk budget.',
    'Run the query again.',
  ),
  'sql.result_filter': kind(
    400,
    'Filter value does not fit the column',
    'A filter compares numbers with numbers and days with days.',
    'Write numbers with a decimal point and days as YYYY-MM-DD.',
  ),
  'sql.result_format': kind(
    422,
    'Format cannot hold the result',
    'The chosen file format has no type for a column of the result.',
    'Choose CSV or JSON Lines, or convert the column with toString().',
  ),
  'sql.result_page': kind(
    422,
    'Page of the result too large',
    'A page of a result can be up to 8 MiB of JSON.',
    'Ask for fewer rows, select fewer columns, or export the result as a file.',
  ),
  'sql.saved_conflict': kind(
    409,
    'Query changed meanwhile',
    'A newer version of the query was saved after this change began. Nothing was overwritten.',
    'Compare both versions, then save again based on the newest.',
  ),
  'sql.saved_full': kind(
    409,
    'Too many saved queries',
    'The account has reached its limit of saved queries.',
    'Delete a query that is no longer needed.',
  ),
  'sql.saved_unknown': kind(
    404,
    'Saved query not found',
    'No saved query has this id, or its owner does not share it.',
    'Ask its owner for access, or search the public queries.',
  ),
  'sql.syntax': kind(
    400,
    'SQL syntax error',
    'The text is not valid SQL from `line` and `column` on. The dialect is ClickHouse SQL.',
    'Look just before that position for a missing comma, bracket or quote.',
  ),
  'sql.too_large': kind(
    422,
    'Result too large',
    'A result can be up to 64 MiB, and a file up to 10,000 rows.',
    'Add a LIMIT, select fewer columns, or aggregate.',
  ),
  'sql.too_long': kind(422, 'Query timeout', 'A query can run for ten seconds.', NARROW),
  'sql.too_long_text': kind(
    400,
    'Query text too long',
    'The query text exceeds the limit in `detail`.',
    'Shorten it. Replace long lists of values with a range or a join.',
  ),
  'sql.too_many_at_once': kind(
    429,
    'Too many queries at once',
    'One address can run two queries at a time, and all callers together eight.',
    'Wait for one to finish, or cancel it. Retry-After gives the time to retry.',
  ),
  'sql.too_many_rows': kind(
    422,
    'Query reads too many rows',
    'The query exceeds the limit on rows read.',
    'Narrow the range of heights or days. Tables are sorted by both.',
  ),
  'sql.too_much_memory': kind(
    422,
    'Query memory limit exceeded',
    'A query can use 1 GiB of memory.',
    'Narrow the range of heights or days, or group by fewer values.',
  ),
  'sql.two_statements': kind(
    400,
    'Multiple statements',
    'One request runs one statement.',
    'Send one statement at a time.',
  ),
  'sql.type': kind(
    400,
    'Type mismatch',
    'A function or operator received a value of a type that it does not accept.',
    'Convert it with toUInt64(), toDate(), toString() or similar.',
  ),
  'sql.unavailable': kind(
    503,
    'Query engine unavailable',
    'The engine is starting, restarting, unreachable, or out of memory.',
    WAIT,
  ),
  'sql.unknown_column': kind(
    400,
    'Column not found',
    'No table in the query has a column with this name.',
    'DESCRIBE a table to see its columns. Line and column in the response point to the name.',
  ),
  'sql.unknown_function': kind(
    400,
    'Function not found',
    'The function does not exist or is not available to user queries. Names are case-sensitive.',
    'The response suggests the closest name, if there is one.',
  ),
  'sql.unknown_run': kind(
    404,
    'Query run not found',
    'No query run has this id, or it belongs to another user.',
    'Runs are available for an hour after they end. Run the query again.',
  ),
  'sql.unknown_table': kind(
    400,
    'Table not found',
    'No public table has this name.',
    'SHOW TABLES lists the available tables. Leave out the database name.',
  ),

  'warehouse.disk_full': kind(
    503,
    'Warehouse disk full',
    'The engine cannot write the data that it needs to respond. Acknowledged data is safe.',
    'The operator must free disk space. The engine then resumes automatically.',
  ),
  'warehouse.engine_gone': kind(
    503,
    'Data engine unavailable',
    'The data engine is unreachable and is being restarted. Restarts are retried until one succeeds.',
    WAIT,
  ),
  'warehouse.engine_lost': kind(
    503,
    'Engine stopped during the query',
    'The engine stopped while running the query and has been restarted.',
    WAIT,
  ),
  'warehouse.engine_start': kind(
    503,
    'Engine failed to start',
    'The engine failed to start. Its log has the reason.',
    'The operator can find the engine log in the data folder.',
  ),
  'warehouse.server_away': kind(
    503,
    'ClickHouse server unreachable',
    'This installation stores its data on a ClickHouse server, and that server is unreachable.',
    'The operator must check that CLICKHOUSE_URL is correct and the server is running.',
  ),
  'warehouse.server_other': kind(
    503,
    'Not a ClickHouse server',
    'The service at the configured address is not a ClickHouse server.',
    'The operator must correct CLICKHOUSE_URL.',
  ),
  'warehouse.server_user': kind(
    503,
    'ClickHouse user rejected',
    'The user name or password is wrong, or the user does not have the required privileges.',
    'The operator must correct CLICKHOUSE_USER, CLICKHOUSE_PASSWORD or the privileges of the user.',
  ),
} satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof KINDS

export const PROBLEM_KINDS: Readonly<Record<ProblemCode, ProblemKind>> = KINDS

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(KINDS, code)

/** All kinds with their codes, those of a room together. */
export const listProblems = (): ({ code: ProblemCode } & ProblemKind)[] =>
  (Object.keys(KINDS) as ProblemCode[]).map(code => ({ code, ...KINDS[code] }))
