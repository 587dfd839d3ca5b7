import type { IncomingMessage } from 'node:http'
import { type Accounts, KEY_START } from '#accounts/index.ts'
import { callerNetwork } from '#kernel/callerNetwork.ts'
import { callerOf, type QueryCaller } from '../queries/callers.ts'
import { REFUSALS } from './failure.ts'
import { headerOf } from './request.ts'

const NO_KEY = 'Authentication failed: send an API key of Assay as password. Any user name will do.'

/**
 * Whose key a request holds as password: by Basic authentication, ClickHouse's headers or parameters. Throws
 * AUTHENTICATION_FAILED for no key, an invalid key, one without the scope `read:query`, and more than one way at once.
 */
export async function authenticate(
  { identify, features }: Pick<Accounts, 'identify' | 'features'>,
  incoming: IncomingMessage,
  url: URL,
): Promise<QueryCaller> {
  const key = keyOf(incoming, url)
  if (!key.startsWith(KEY_START)) throw REFUSALS.notAuthenticated(NO_KEY)
  const person = await identify({ authorization: `Bearer ${key}` })
  if (person === undefined) throw REFUSALS.notAuthenticated(NO_KEY)
  const asker = callerNetwork(incoming.socket.remoteAddress ?? '')
  return callerOf({ asker, person, features: await features(person) })
}

function keyOf(incoming: IncomingMessage, url: URL): string {
  const { authorization } = incoming.headers
  const ways = [
    authorization === undefined ? undefined : basicPassword(authorization),
    headerOf(incoming, 'x-clickhouse-key'),
    url.searchParams.get('password') ?? undefined,
  ].filter(password => password !== undefined)
  if (ways.length > 1)
    throw REFUSALS.notAuthenticated(
      'Authentication failed: use one of Basic authentication, X-ClickHouse-Key and the parameter password.',
    )
  return ways[0] ?? ''
}

function basicPassword(authorization: string): string {
  const [, credentials = ''] = /^basic ([\w+/=-]+)$/i.exec(authorization) ?? []
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}
